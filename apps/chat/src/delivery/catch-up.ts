import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type FrameReference } from '@waggle/contracts';
import { KeyedLimiter, LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { eventsOf, isRecipient, type Entry, type EntryRange, type Position } from '../log/entry';
import { LogStore } from '../log/log.store';
import { CatchUpStore } from '../log/catch-up.store';
import { affordableBeforePage, priceOfPage } from '../realtime/frame-limits';
import { type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/server-frame';
import { Cursor } from './cursor';
import { PendingReplies } from './pending-replies';
import { OpenStreams } from './open-streams';

/*
 * A stream is in one of these states on a connection. `next` is the next entry of the stream that is delivered live to
 * the account.
 *
 * | state         | entry n is delivered here                  | leads to                                           |
 * |---------------|--------------------------------------------|----------------------------------------------------|
 * | live          | it is written, if the client has room for  | otherwise behind from n                            |
 * |               | it and the subscription is confirmed       |                                                    |
 * | behind from m | it is not written                          | a page is written: behind from the entry after it; |
 * |               |                                            | that is `next`: live, in the same turn             |
 * | resuming      | it is not written: behind from n           | `resume-complete`: live, or behind from m          |
 *
 * A page that begins at m is written only if the stream is still behind from m. If `next` is lower than m, because the
 * stream was closed and opened again, the stream stays behind until `next` is m: nothing is written twice.
 *
 * Two more events lead to behind from m: a resume, from the first entry after its cursor; and a subscription that turns
 * out to begin with entry m although that was delivered here already. If several apply, the lowest m counts. A
 * connection that is not behind in any stream is live.
 */

/**
 * Maximum size of a page, in sequence numbers and in bytes of message text. A page stays in memory until the client has
 * received it. It has entries of one or more streams; in the next page the other streams come first.
 */
const maxPageEntries = 100;
const maxPageTextBytes = 64 * 1_024;

/** Maximum number of `acknowledgment` replies that wait for the messages that they cover. */
const maxWaitingReplies = 1_000;

/**
 * Maximum interval between checks whether a waiting connection has closed, in milliseconds. A closed connection blocks
 * other resumes of its account (`Resumption`) until the next check.
 */
const maxCheckIntervalMs = 500;

/** A frame that is not stored, and the entry of its stream that it follows. */
export interface FollowingFrame {
  stream: string;
  after: number;
  frame: ServerFrame;
  ref?: FrameReference | undefined;
  /** A later frame of the same kind and stream replaces it; undefined for a reply. */
  kind?: string | undefined;
}

/** What a connection that is not live has not received. */
export interface Behind {
  readonly account: string;
  /**
   * Everything before it was sent. Until the connection is live, it is sent no later cursor, so that a client resumes
   * from there.
   */
  cursor: string;
  /** By stream: the first sequence number that is not received. */
  readonly streams: Map<string, number>;
  readonly following: Map<string | symbol, FollowingFrame>;
  isResuming: boolean;
  /** Whether `CatchUp` reads for it; a resume reads for itself. */
  isReading: boolean;
}

/** What `findSubscribed` returned of one stream, as far as the next page has it. */
interface NextRanges {
  stream: string;
  /** The first sequence number that was not received when the page began. */
  from: number;
  ranges: EntryRange[];
  /** The page has everything before it. */
  end: number;
  /** Whether the account is not subscribed and receives nothing from there on. */
  hasLeft: boolean;
}

/**
 * Delivers entries from the database, page by page, to connections that are behind. Which entries of a stream an
 * account may receive is decided by its memberships in the database. Emits `caughtUp` when a connection is live again.
 */
@Injectable()
export class CatchUp extends EventEmitter<{ caughtUp: [connection: Connection] }> {
  private readonly behind = new WeakMap<Connection, Behind>();
  /** The pages of one account are read one after another: an account uses one database connection at a time. */
  private readonly pageQueue = new KeyedLimiter({ maxRunning: 1 });
  private readonly failures: ThrottledLog;

  constructor(
    private readonly log: LogStore,
    private readonly store: CatchUpStore,
    private readonly streams: OpenStreams,
    private readonly pending: PendingReplies,
    private readonly cursor: Cursor,
    @Inject(LOGGER) logger: Logger,
  ) {
    super();
    this.failures = ThrottledLog.errors(logger, 'cannot read what a connection has not received');
  }

  /** Returns what a connection has not received; undefined if it is live. */
  of(connection: Connection): Behind | undefined {
    const behind = this.behind.get(connection);
    // It may have authenticated as another account since.
    return behind?.account === connection.authentication?.account ? behind : undefined;
  }

  /** The cursor of a connection: everything before it was sent. */
  cursorOf(connection: Connection): string {
    return this.of(connection)?.cursor ?? this.cursor.value;
  }

  /** Whether a connection will be sent an entry by catching up. */
  isBehind(connection: Connection, { stream, seq }: Position): boolean {
    const from = this.of(connection)?.streams.get(stream);
    return from !== undefined && from <= seq;
  }

  /** Lets a connection catch up with a stream from a sequence number on. */
  fallBehind(connection: Connection, { stream, seq }: Position): void {
    const behind = this.of(connection) ?? this.begin(connection);
    behind.streams.set(stream, Math.min(seq, behind.streams.get(stream) ?? Infinity));
    this.start(connection, behind);
  }

  /**
   * Begins to resume a connection: nothing is delivered to it live until `endResume`. What it was behind with is read
   * by the resume.
   */
  beginResume(connection: Connection, cursor: string): Behind {
    const former = this.of(connection) ?? this.begin(connection);
    const behind = { ...former, cursor, isResuming: true, isReading: false };
    this.behind.set(connection, behind);
    return behind;
  }

  /** Ends a resume. The connection goes on with what has become due meanwhile. */
  endResume(connection: Connection, behind: Behind, cursor: string): void {
    behind.isResuming = false;
    behind.cursor = cursor;
    this.start(connection, behind);
  }

  /** Whether a frame has to wait until the connection has received the entry that the frame follows. */
  mustWait(connection: Connection, { stream, after }: FollowingFrame): boolean {
    return this.of(connection)?.isResuming === true || this.isBehind(connection, { stream, seq: after });
  }

  /** Writes a frame later: when the connection has room for it and has received the entry that it follows. */
  writeLater(connection: Connection, frame: FollowingFrame): void {
    const behind = this.of(connection) ?? this.begin(connection);
    const { streams, following } = behind;
    const { stream, after, kind } = frame;
    const live = this.streams.find(stream)?.nextSeq(behind.account);
    // So that later entries come behind it.
    if (live !== undefined && !behind.isResuming && !streams.has(stream)) streams.set(stream, live);
    const key = kind === undefined ? Symbol('reply') : `${stream} ${kind}`;
    const known = following.get(key)?.after ?? 0;
    following.delete(key);
    following.set(key, { ...frame, after: Math.max(after, known) });
    const isReply = (each: FollowingFrame) => each.kind === undefined;
    if (following.size > maxWaitingReplies && [...following.values()].filter(isReply).length > maxWaitingReplies)
      connection.close('consumerTooSlow');
    this.start(connection, behind);
  }

  /**
   * Delivers pages until the connection is live or closed.
   *
   * @param request is charged for the pages, which wait until its account can afford them; undefined if the connection
   * does not resume
   * @param isDone ends the delivery earlier
   */
  async deliverPages(
    connection: Connection,
    behind: Behind,
    isDone: () => boolean,
    request?: FrameRequest,
  ): Promise<void> {
    while (this.isCurrent(connection, behind) && !isDone()) {
      if (request === undefined) await connection.flushed();
      else await readyForPage(request);
      await this.pageQueue.run(behind.account, async () => {
        if (!this.isCurrent(connection, behind)) return;
        const bytes = await this.deliverPage(connection, behind);
        request?.chargeAfterwards(priceOfPage(bytes));
      });
      this.writeDue(connection, behind);
    }
  }

  /** Writes the frames whose entries are received. @param before the next entry of its stream */
  writeDue(connection: Connection, { streams, following }: Behind, before?: Position): void {
    for (const [key, { stream, after, frame, ref }] of following) {
      const next = stream === before?.stream ? before.seq : (streams.get(stream) ?? Infinity);
      if (next <= after) continue;
      following.delete(key);
      connection.write(frame, ref);
    }
  }

  private begin(connection: Connection): Behind {
    const behind: Behind = {
      account: connection.authentication?.account ?? '',
      cursor: this.cursor.value,
      streams: new Map(),
      following: new Map(),
      isResuming: false,
      isReading: false,
    };
    this.behind.set(connection, behind);
    return behind;
  }

  private start(connection: Connection, behind: Behind): void {
    if (behind.isReading || behind.isResuming) return;
    behind.isReading = true;
    this.read(connection, behind).catch((error: unknown) => {
      this.failures.log(error);
      connection.close('unavailable');
    });
  }

  /** Delivers until the connection is live, a resume replaces what it is behind with, or it is closed. */
  private async read(connection: Connection, behind: Behind): Promise<void> {
    while (this.isCurrent(connection, behind) && !isEmpty(behind))
      await this.deliverPages(connection, behind, () => isEmpty(behind));
    if (!this.isCurrent(connection, behind)) return;
    this.behind.delete(connection);
    this.emit('caughtUp', connection);
  }

  private isCurrent(connection: Connection, behind: Behind): boolean {
    return connection.isOpen && this.of(connection) === behind;
  }

  /** Delivers the next page to a connection. @returns the number of written bytes */
  private async deliverPage(connection: Connection, behind: Behind): Promise<number> {
    const ownSeq = this.streams.find(behind.account)?.deliveredSeq;
    const next = await this.findNext(behind);
    const wanted = next.flatMap(({ ranges }) => ranges);
    const page = wanted.length === 0 ? [] : await this.store.findPage(wanted, maxPageTextBytes);
    if (!this.isCurrent(connection, behind)) return 0;
    // Streams that moved back meanwhile are read again.
    const valid = new Set(next.flatMap(({ stream, from }) => (behind.streams.get(stream) === from ? [stream] : [])));
    let bytes = 0;
    for (const entry of page) if (valid.has(entry.stream)) bytes += this.write(connection, behind, entry);
    // Entries that are gone are left out. The size limit may have cut the page after the last entry: what follows is
    // read later.
    const last = page.at(-1);
    // Otherwise it may have been subscribed again, and have left again, since the memberships were read.
    const isKnown = this.streams.find(behind.account)?.deliveredSeq === ownSeq;
    for (const { stream, ranges, end, hasLeft } of next) {
      const isLast = stream === last?.stream;
      const isCut = isLast && last.seq !== ranges.at(-1)?.to;
      const seq = isCut ? last.seq + 1 : end;
      if (valid.has(stream)) this.moveTo(behind, { stream, seq }, hasLeft && isKnown && !isCut);
      if (isLast) break;
    }
    return bytes;
  }

  /**
   * Returns what a page is to have: of each stream the beginning of what the account receives and is delivered here.
   */
  private async findNext({ account, streams }: Behind): Promise<NextRanges[]> {
    const wanted = Array.from(streams, ([stream, seq]) => ({ stream, seq })).slice(0, maxPageEntries);
    // A stream that was closed and opened again may have delivered less than the connection has received.
    const isReopened = ({ stream, seq }: Position) => (this.streams.find(stream)?.nextSeq(account) ?? seq) < seq;
    const reopened = wanted.filter(isReopened).map(({ stream, seq }) => ({ stream, seq: seq - 1 }));
    if (reopened.length > 0) await this.streams.readUpTo(reopened);
    const nextLive = wanted.map(({ stream }) => this.streams.find(stream)?.nextSeq(account));
    const found = wanted.length === 0 ? [] : await this.log.findSubscribed(account, wanted);
    // A subscription that is not known here yet would be late later, and its entries would be written again. An
    // unconfirmed one may have ended already: it would make a later one look known.
    const isKnown = ({ stream: id, to }: EntryRange) => {
      const stream = this.streams.find(id);
      return stream?.subscribers.receives(account, to) === true && stream.subscribers.isConfirmed(account);
    };
    if (!found.every(isKnown)) await this.streams.readToEnd(account);
    let left = maxPageEntries;
    return wanted.flatMap(({ stream, seq }, i): NextRanges[] => {
      const live = nextLive[i];
      // The account was subscribed while the memberships were read: what is not delivered live is read next time.
      const isNew = live === undefined && this.streams.find(stream)?.nextSeq(account) !== undefined;
      if (left === 0 || isNew) return [];
      const all = found.filter((each) => each.stream === stream);
      const ranges: EntryRange[] = [];
      let end = live ?? (all.at(-1)?.to ?? seq - 1) + 1;
      for (const range of all) {
        const to = Math.min(range.to, end - 1, range.from + left - 1);
        if (to < range.from) break;
        ranges.push({ ...range, to });
        left -= to - range.from + 1;
        if (left > 0) continue;
        end = to + 1;
        break;
      }
      const last = all.at(-1);
      const hasLeft = live === undefined && (last === undefined || (last.hasLeft && last.to < end));
      return [{ stream, from: seq, ranges, end, hasLeft }];
    });
  }

  /**
   * Notes that a connection has received everything before a sequence number. The stream is live if live delivery goes
   * on with exactly that entry.
   *
   * @param hasLeft whether the account, if it is not subscribed, receives nothing more
   */
  private moveTo({ account, streams }: Behind, { stream, seq }: Position, hasLeft: boolean): void {
    const live = this.streams.find(stream)?.nextSeq(account);
    streams.delete(stream);
    const isDone = live === undefined ? hasLeft : seq === live;
    // Behind the others.
    if (!isDone) streams.set(stream, seq);
  }

  /**
   * Writes the events of an entry for the account, after the frames that precede it: once per request that the entry
   * replies to, otherwise once.
   *
   * @returns how many bytes are written
   */
  private write(connection: Connection, behind: Behind, entry: Entry): number {
    const { account, cursor } = behind;
    this.writeDue(connection, behind, entry);
    const replies = this.pending.take(entry, ({ request }) => request.connection === connection);
    const refs = replies.map(({ request }) => request.ref);
    const position = { stream: entry.stream, seq: entry.seq, cursor };
    const frames = eventsOf(entry)
      .filter(({ type, to }) => isRecipient(to, account) && connection.receives(type))
      .map(({ type, payload, made, rich }) => new ServerFrame(type, payload, { ...position, ...made }, rich));
    let bytes = 0;
    for (const ref of refs.length === 0 ? [undefined] : refs)
      for (const frame of frames) bytes += connection.write(frame, ref);
    return bytes;
  }
}

function isEmpty({ streams, following }: Behind): boolean {
  return streams.size === 0 && following.size === 0;
}

/**
 * Resolves when the connection of a request has nothing unsent, and its account can afford another page and frames of
 * its other connections; or when the connection is closed.
 */
export async function readyForPage(request: FrameRequest): Promise<void> {
  await request.connection.flushed();
  while (request.connection.isOpen) {
    const ms = request.affordableInMs(affordableBeforePage);
    if (ms <= 0) return;
    await delay(Math.min(ms, maxCheckIntervalMs));
  }
}
