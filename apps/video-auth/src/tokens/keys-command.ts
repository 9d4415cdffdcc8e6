import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { newKeyDocument, readKeyDocument, rotated, type KeyDocument } from './key-document';
import { replaceFile } from './replace-file';
import { tokenDefaultSeconds } from './token-settings';

/** An error of the command, with a message for the operator. */
export class KeysCommandError extends Error {
  override readonly name = 'KeysCommandError';
}

/** Default time that the next key must have been published before it signs: longer than verifiers may cache a JWKS. */
const publishedDefaultSeconds = 900;

const usage = `usage: keys.main.js make <file> [--replace]
       keys.main.js rotate <file> [--token-seconds ${tokenDefaultSeconds}] [--published-seconds ${publishedDefaultSeconds}]
--token-seconds: the lifetime of tokens (TOKEN_SECONDS of the service). A former key stays published for this long.
--published-seconds: for how long the next key must have been published before it signs.`;

const nextKeyAdded = 'The file had no next key, so one was added and the current key still signs. Rotate again later.';

/**
 * `make` writes a current and a next key into a new file; `rotate` makes the next key current, or adds one if there is
 * none.
 *
 * @returns a message for the operator
 * @throws KeysCommandError
 */
export async function keysCommand(args: readonly string[], now: Date): Promise<string> {
  const { command, file, isReplacing, tokenMs, publishedMs } = parse(args);
  if (command === 'rotate') return rotate(file, { now, tokenMs, publishedMs });
  if (existsSync(file) && !isReplacing) {
    throw new KeysCommandError(`${file} exists already; --replace invalidates all tokens signed by its keys`);
  }
  return write(file, newKeyDocument(now));
}

async function rotate(
  file: string,
  { now, tokenMs, publishedMs }: { now: Date; tokenMs: number; publishedMs: number },
): Promise<string> {
  const document = await read(file);
  const publishedForMs = document.next === undefined ? Infinity : now.getTime() - Date.parse(document.next.made_at);
  if (publishedForMs < publishedMs) {
    throw new KeysCommandError(
      `the next key has been published for ${Math.floor(publishedForMs / 1_000)} s only, and verifiers may still cache a JWKS without it; wait until it has been published for ${publishedMs / 1_000} s`,
    );
  }
  const keys = await write(file, rotated(document, now, tokenMs));
  return document.next === undefined ? `${nextKeyAdded}\n${keys}` : keys;
}

async function read(file: string): Promise<KeyDocument> {
  try {
    return readKeyDocument(await readFile(file, 'utf8'));
  } catch (error) {
    throw new KeysCommandError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function write(file: string, document: KeyDocument): Promise<string> {
  await replaceFile(file, `${JSON.stringify(document, undefined, 2)}\n`);
  const { current, next, former } = document;
  return [
    `${file}:`,
    `  current ${current.kid}`,
    ...(next === undefined ? [] : [`  next    ${next.kid}`]),
    ...former.map(({ kid, retired_at }) => `  former  ${kid}, retired ${retired_at}`),
  ].join('\n');
}

function parse(args: readonly string[]) {
  const parseSecondsAsMs = (text: string): number => {
    if (!/^\d{1,10}$/.test(text)) throw new KeysCommandError(`"${text}" is not a number of seconds\n${usage}`);
    return Number(text) * 1_000;
  };
  const { positionals, values } = parseOptions(args);
  const [command, file, ...rest] = positionals;
  if ((command !== 'make' && command !== 'rotate') || file === undefined || rest.length > 0) {
    throw new KeysCommandError(usage);
  }
  return {
    command,
    file,
    isReplacing: values.replace,
    tokenMs: parseSecondsAsMs(values['token-seconds']),
    publishedMs: parseSecondsAsMs(values['published-seconds']),
  };
}

interface ParsedArguments {
  positionals: string[];
  values: { replace: boolean; 'token-seconds': string; 'published-seconds': string };
}

function parseOptions(args: readonly string[]): ParsedArguments {
  const defaultOf = (value: number) => ({ type: 'string', default: String(value) }) as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        replace: { type: 'boolean', default: false },
        'token-seconds': defaultOf(tokenDefaultSeconds),
        'published-seconds': defaultOf(publishedDefaultSeconds),
      },
    });
  } catch (error) {
    throw new KeysCommandError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
