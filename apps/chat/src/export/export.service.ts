import { setTimeout as delay } from 'node:timers/promises';
import { type Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { identifier } from '@waggle/contracts';
import {
  Exports,
  isJoined,
  type ListReader,
  ListReads,
  LOGGER,
  type Logger,
  POOL,
  ServiceError,
  ThrottledLog,
} from '@waggle/service';
import { type Pool } from 'pg';
import { z } from 'zod';
import { cursorTime, decodeCursor, encodeCursor } from '../lists/page';
import { SessionsService } from '../sessions/sessions.service';
import { SettingsService } from '../settings/settings.service';
import {
  blockedLines,
  contentLines,
  conversationLine,
  friendLines,
  friendRequestLines,
  maxLines,
  maxSeqs,
  sessionLines,
} from './export.statements';

/** Limits of the exports of an instance. A longer one is continued by its cursor. */
const limits = { maxConcurrent: 20, maxDurationMs: 15 * 60_000 };

/** The average rate of an export: the default limit of the responses to an account. */
const bytesPerMs = 1024;

/** How often a running export checks that the session has not ended, in milliseconds. */
const checkIntervalMs = 1_000;

/** After this many reads without a line, which take seconds, a line says that the export goes on. */
const maxEmptyReads = 100;

/** The caller of an export. */
export interface ExportReader extends ListReader {
  readonly sessionId: string;
}

/** The lines of a list are ordered by time, then by key. */
interface ListPosition {
  at: Date;
  key: string;
}

/** The types of lines that have no conversation, in order. */
const listTypes = ['account', 'settings', 'session', 'friend', 'blocked', 'friend-request'] as const;
type ListType = (typeof listTypes)[number];

const beforeAll: ListPosition = { at: new Date(0), key: '' };
/** The position of the only line of its type. */
const onlyLine: ListPosition = { at: new Date(1), key: '' };

/**
 * A position among the lines of conversations: the id of the conversation and, for one of its contents, the sequence
 * number, type and key.
 */
const contentPosition = z.tuple([
  z.literal('conversation'),
  identifier,
  z.int().min(0),
  z.string().max(16),
  z.string().max(64),
]);
type ContentPosition = z.infer<typeof contentPosition>;
/** A position in an export: in a list its type, time and key, or in the conversations after them. */
const position = z.union([z.tuple([z.enum(listTypes), cursorTime, z.string().max(64)]), contentPosition]);
type Position = z.infer<typeof position>;

const start: Position = [listTypes[0], 0, ''];

/** A line before it is written; `position` becomes its cursor. */
interface Line<P extends Position = Position> {
  type: string;
  position: P;
  fields: object;
}

/**
 * Exports what the service stores about an account, as NDJSON. Each portion is read by a statement that begins after
 * the last line. So an export needs no transaction and little memory, and can be continued after any line.
 */
@Injectable()
export class ExportService {
  private readonly exports = new Exports(limits, 'account');
  private readonly failures: ThrottledLog;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly settings: SettingsService,
    private readonly sessions: SessionsService,
    private readonly reads: ListReads,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = ThrottledLog.errors(logger, 'an export failed');
  }

  /**
   * Begins an export.
   *
   * @param after the cursor of a line; the whole export if undefined
   * @throws ChatError `invalid-request` if the cursor is not one of an export, `being-erased`; and as `Exports.begin`
   */
  async begin(reader: ExportReader, after: string | undefined): Promise<Readable> {
    const from = after === undefined ? start : decodeCursor<Position>(after, position);
    await this.sessions.requireValid(reader.account, reader.sessionId);
    const { stream } = await this.exports.begin(reader.account, () =>
      Promise.resolve({ pages: this.pages(reader, from) }),
    );
    return stream;
  }

  /** Yields the text of each portion. The last line says whether the export is complete. */
  private async *pages(reader: ExportReader, from: Position): AsyncGenerator<string, void, undefined> {
    try {
      for await (const lines of this.portions(reader, from)) {
        const text = lines
          .map(({ type, fields, position: at }) => toText({ type, ...fields, cursor: encodeCursor(at) }))
          .join('');
        yield text;
        await delay(Buffer.byteLength(text) / bytesPerMs);
      }
      yield toText({ type: 'end' });
    } catch (error) {
      if (!(error instanceof ServiceError)) this.failures.log(error);
      const { code, message } =
        error instanceof ServiceError
          ? error
          : { code: 'unavailable', message: 'an error on our side; continue later' };
      yield toText({ type: 'error', code, message });
    }
  }

  /** Yields the lines after a position, in portions. Checks the session between reads. */
  private async *portions(reader: ExportReader, from: Position): AsyncGenerator<Line[], void, undefined> {
    let checkedAtMs = -Infinity;
    const read = async <T>(query: () => Promise<T>): Promise<T> => {
      if (performance.now() - checkedAtMs > checkIntervalMs) {
        await this.sessions.requireValid(reader.account, reader.sessionId);
        checkedAtMs = performance.now();
      }
      return await this.reads.run(reader, query);
    };
    const { account } = reader;
    if (from[0] === 'conversation') yield* this.conversations(account, from, read);
    else {
      const first = listTypes.indexOf(from[0]);
      for (const [i, type] of listTypes.slice(first).entries()) {
        yield* this.list(account, type, i > 0 ? beforeAll : { at: new Date(from[1]), key: from[2] }, read);
      }
      yield* this.conversations(account, undefined, read);
    }
  }

  /** Yields the lines of one type. */
  private async *list(
    account: string,
    type: ListType,
    from: ListPosition,
    read: Read,
  ): AsyncGenerator<Line[], void, undefined> {
    for (let after = from; ;) {
      const rows = await read(() => this.readLines(account, type, after));
      if (rows.length > 0) {
        yield rows.map(({ at, key, fields }): Line => ({ type, fields, position: [type, at.getTime(), key] }));
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < maxLines) return;
      after = last;
    }
  }

  private async readLines(
    account: string,
    type: ListType,
    { at, key }: ListPosition,
  ): Promise<(ListPosition & { fields: object })[]> {
    const after = { account, afterAt: at, afterKey: key };
    switch (type) {
      case 'account':
        if (at >= onlyLine.at) return [];
        return [{ ...onlyLine, fields: { username: account, exported_at: new Date().toISOString() } }];
      case 'settings':
        if (at >= onlyLine.at) return [];
        return [{ ...onlyLine, fields: await this.settings.get(account) }];
      case 'session':
        return sessionLines.query(this.pool, after);
      case 'friend':
        return friendLines.query(this.pool, after);
      case 'blocked':
        return blockedLines.query(this.pool, after);
      case 'friend-request':
        return friendRequestLines.query(this.pool, after);
    }
  }

  /** Yields the lines of conversations, each followed by its contents. */
  private async *conversations(
    account: string,
    from: ContentPosition | undefined,
    read: Read,
  ): AsyncGenerator<Line[], void, undefined> {
    if (from !== undefined) yield* this.contents(account, from, read);
    for (let [, after] = from ?? ['', '']; ;) {
      const row = await read(() => conversationLine.find(this.pool, { account, after }));
      if (row === undefined) return;
      const at: ContentPosition = ['conversation', row.id, 0, '', ''];
      yield [{ type: 'conversation', fields: row.fields, position: at }];
      yield* this.contents(account, at, read);
      after = row.id;
    }
  }

  /** Yields what the account has in a conversation after a position, in the order of sequence numbers. */
  private async *contents(account: string, from: ContentPosition, read: Read): AsyncGenerator<Line[], void, undefined> {
    let emptyReads = 0;
    let nextFrom: ContentPosition | undefined = from;
    while (nextFrom !== undefined) {
      const after: ContentPosition = nextFrom;
      const { lines, next }: Contents = await read(() => this.readContents(account, after));
      emptyReads = lines.length === 0 ? emptyReads + 1 : 0;
      if (lines.length > 0) yield lines;
      else if (next !== undefined && emptyReads % maxEmptyReads === 0)
        yield [{ type: 'progress', fields: {}, position: next }];
      nextFrom = next;
    }
  }

  private async readContents(
    account: string,
    [, conversationId, fromSeq, afterType, afterKey]: ContentPosition,
  ): Promise<Contents> {
    const rows = await contentLines.query(this.pool, { conversationId, account, fromSeq, afterType, afterKey });
    const lines = rows.flatMap((row): Line<ContentPosition>[] => {
      // The only row of a range without lines.
      if (!isJoined(row, ['seq', 'type', 'key', 'fields'])) return [];
      const { type, key } = row;
      const seq = Number(row.seq);
      const fields = { conversation_id: conversationId, seq, ...row.fields };
      return [{ type, fields, position: ['conversation', conversationId, seq, type, key] }];
    });
    const last = rows.at(-1);
    if (last?.has_next === true) return { lines, next: lines.at(-1)?.position };
    const nextSeq = fromSeq + maxSeqs;
    const isEnd = last === undefined || nextSeq > Number(last.last_seq);
    return { lines, next: isEnd ? undefined : ['conversation', conversationId, nextSeq, '', ''] };
  }
}

/** The lines that one read finds. */
interface Contents {
  lines: Line<ContentPosition>[];
  /** Where the next read begins; undefined at the end of the conversation. */
  next: ContentPosition | undefined;
}

/** Runs a query in the queue of the account's reads. */
type Read = <T>(query: () => Promise<T>) => Promise<T>;

function toText(line: object): string {
  return `${JSON.stringify(line)}\n`;
}
