import { createReadStream } from 'node:fs';
import { ConfigurationError } from '@waggle/service';
import { z } from 'zod';

/** A message of another chat. Users and emoji have the names that they have there. */
export interface ForeignPost {
  conversation: string;
  /** Equal in every export of the same post. */
  identity: string;
  /** The identity of the post that it replies to. */
  repliesTo?: string | undefined;
  author: string;
  sentAtMs: number;
  text: string;
  editedAtMs?: number | undefined;
  reactions: readonly { user: string; name: string; atMs?: number | undefined }[];
  /** The names of its files, which are not imported. */
  files: readonly string[];
}

/** A time of an export, in milliseconds. New messages would keep to one in the future, since times only increase. */
export const pastTime = z
  .int()
  .min(0)
  .refine((ms) => ms <= Date.now() + 60_000, 'the time is in the future');

/** What a reader finds in an export. A conversation precedes its members and posts. */
export type ImportRecord = { place: string } & (
  | { type: 'conversation'; key: string; kind: 'channel' | 'group' | 'direct'; name?: string | undefined }
  | { type: 'member'; conversation: string; user: string; role: 'member' | 'moderator' | 'creator' }
  | { type: 'post'; post: ForeignPost }
  | { type: 'ignored'; what: string }
  | { type: 'problem'; reason: string }
);

/** A record without its place in a file. */
export type FoundRecord = Distributed<ImportRecord>;
type Distributed<T> = T extends unknown ? Omit<T, 'place'> : never;

/** Maximum length of a line in MiB: the one of a document in MongoDB. Mattermost writes a thread as one line. */
export const maxLineMebibytes = 16;

/** Returns what a line of a file contains. */
export type RecordsOf = (value: unknown) => Iterable<FoundRecord>;

/**
 * Reads a file with one JSON document per line, never more than a line at once. A line that is not as expected, or too
 * long, becomes a `problem`.
 *
 * @throws ConfigurationError if the file cannot be read
 */
export async function* readJsonLines(file: string, recordsOf: RecordsOf): AsyncGenerator<ImportRecord> {
  let number = 0;
  try {
    for await (const line of readLines(file)) {
      number += 1;
      const place = `${file}:${number}`;
      if (line?.trim() === '') continue;
      const records =
        line === undefined ? `the line is longer than ${maxLineMebibytes} MiB` : parseLine(line, recordsOf);
      if (typeof records === 'string') yield { type: 'problem', reason: records, place };
      else for (const record of records) yield { ...record, place };
    }
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new ConfigurationError([`${file}: ${error.message}`]);
  }
}

/** Yields the lines of a file, and undefined for one above the limit, which is not kept in memory. */
async function* readLines(file: string): AsyncGenerator<string | undefined> {
  const chunks: AsyncIterable<Buffer> = createReadStream(file);
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length > maxLineMebibytes * 1_048_576) parts = [];
    else parts.push(part);
  };
  const takeLine = () => {
    const line = length > 0 && parts.length === 0 ? undefined : Buffer.concat(parts).toString();
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      add(chunk.subarray(start, end));
      yield takeLine();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield takeLine();
}

/** @returns the records, or why the line has none */
function parseLine(line: string, recordsOf: RecordsOf): FoundRecord[] | string {
  try {
    return [...recordsOf(JSON.parse(line))];
  } catch (error) {
    if (error instanceof SyntaxError) return 'the line is not a JSON document';
    if (!(error instanceof z.ZodError)) throw error;
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  }
}
