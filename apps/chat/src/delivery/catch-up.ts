import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type FrameReference } from '@waggle/contracts';
import { KeyedLimiter, LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { eventsOf, isRecipient, type Entry, type EntryRange, type Position } from '../log/entry';
import { LogStore } from '../log/log.store';
import { CatchUpStore } from '../log/catch-up.store';
import { affordableBeforePage, priceOfPage } from '../realtime/frame-prices';
import { type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/server-frame';
import { Cursor } from './cursor';
import { countEntries, type PagePart, pagePartOf, receivedParts } from './page-parts';
import { PendingReplies, type PendingReply } from './pending-replies';
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

/** A frame that is not stored, and the entry that the connection receives before it. */
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
  /**
   * Frames to write later, in this order. The key of a reply is a symbol, and of another frame its stream and kind: it
   * replaces the former frame with this key.
   */
  readonly following: Map<string | symbol, FollowingFrame>;
  isResuming: boolean;
  /** Whether `CatchUp` reads for it; a resume reads for itself. */
  isReading: boolean;
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
  findBehind(connection: Connection): Behind | undefined {
    const behind = this.behind.get(connection);
    // It may have authenticated as another account since.
    return behind?.account === connection.authentication?.account ? behind : undefined;
  }

  /** The cursor of a connection: everything before it was sent. */
  cursorOf(connection: Connection): string {
    return this.findBehind(connection)?.cursor ?? this.cursor.value;
  }

  /** Whether a connection will be sent an entry by catching up. */
  isBehind(connection: Connection, { stream, seq }: Position): boolean {
    const from = this.findBehind(connection)?.streams.get(stream);
    return from !== undefined && from <= seq;
  }

  /** Lets a connection catch up with a stream from a sequence number on. */
  fallBehind(connection: Connection, { stream, seq }: Position): void {
    const behind = this.findBehind(connection) ?? this.addBehind(connection);
    behind.streams.set(stream, Math.min(seq, behind.streams.get(stream) ?? Infinity));
    this.startReading(connection, behind);
  }

  /**
   * Begins to resume a connection: nothing is delivered to it live until `endResume`. What it was behind with is read
   * by the resume.
   */
  beginResume(connection: Connection, cursor: string): Behind {
    const former = this.findBehind(connection) ?? this.addBehind(connection);
    const behind = { ...former, cursor, isResuming: true, isReading: false };
    this.behind.set(connection, behind);
    return behind;
  }

  /** Ends a resume. The connection goes on with what has become due meanwhile. */
  endResume(connection: Connection, behind: Behind, cursor: string): void {
    behind.isResuming = false;
    behind.cursor = cursor;
    this.startReading(connection, behind);
  }

  /** Whether a frame has to wait until the connection has received the entry that the frame follows. */
  mustWait(connection: Connection, { stream, after }: FollowingFrame): boolean {
    return this.findBehind(connection)?.isResuming === true || this.isBehind(connection, { stream, seq: after });
  }

  /** Writes a frame later: when the connection has room for it and has received the entry that it follows. */
  writeLater(connection: Connection, frame: FollowingFrame): void {
    const behind = this.findBehind(connection) ?? this.addBehind(connection);
    const { streams, following } = behind;
    const { stream, after, kind } = frame;
    const nextLive = this.nextLiveSeq(behind.account, stream);
    // Lets later entries of the stream wait too, so that they are written after the frame.
    if (nextLive !== undefined && !behind.isResuming && !streams.has(stream)) streams.set(stream, nextLive);
    const key = kind === undefined ? Symbol('reply') : `${stream} ${kind}`;
    const replaced = following.get(key);
    following.delete(key);
    following.set(key, { ...frame, after: Math.max(after, replaced?.after ?? 0) });
    if (following.size > maxWaitingReplies && countReplies(following) > maxWaitingReplies)
      connection.close('consumerTooSlow');
    this.startReading(connection, behind);
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

  /** Records that a live connection is behind. */
  private addBehind(connection: Connection): Behind {
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

  private startReading(connection: Connection, behind: Behind): void {
    if (behind.isReading || behind.isResuming) return;
    behind.isReading = true;
    this.readUntilLive(connection, behind).catch((error: unknown) => {
      this.failures.log(error);
      connection.close('unavailable');
    });
  }

  /** Delivers until the connection is live, a resume replaces what it is behind with, or it is closed. */
  private async readUntilLive(connection: Connection, behind: Behind): Promise<void> {
    while (this.isCurrent(connection, behind) && !isEmpty(behind))
      await this.deliverPages(connection, behind, () => isEmpty(behind));
    if (!this.isCurrent(connection, behind)) return;
    this.behind.delete(connection);
    this.emit('caughtUp', connection);
  }

  private isCurrent(connection: Connection, behind: Behind): boolean {
    return connection.isOpen && this.findBehind(connection) === behind;
  }

  /** Delivers the next page to a connection. @returns the number of written bytes */
  private async deliverPage(connection: Connection, behind: Behind): Promise<number> {
    const accountSeq = this.streams.find(behind.account)?.deliveredSeq;
    const parts = await this.findPageParts(behind);
    const ranges = parts.flatMap((part) => part.ranges);
    const page = ranges.length === 0 ? [] : await this.store.findPage(ranges, maxPageTextBytes);
    if (!this.isCurrent(connection, behind)) return 0;
    // Streams that moved back meanwhile are read again.
    const valid = new Set(parts.flatMap(({ stream, from }) => (behind.streams.get(stream) === from ? [stream] : [])));
    let bytes = 0;
    for (const entry of page) if (valid.has(entry.stream)) bytes += this.write(connection, behind, entry);
    // If the account's own stream has grown, it may have been subscribed again, and have left again, since its
    // memberships were read.
    const areMembershipsKnown = this.streams.find(behind.account)?.deliveredSeq === accountSeq;
    for (const { stream, end, hasLeft } of receivedParts(parts, page.at(-1)))
      if (valid.has(stream)) this.moveTo(behind, { stream, seq: end }, hasLeft && areMembershipsKnown);
    return bytes;
  }

  /** Returns what the next page is to have: of each stream, the first entries that are delivered here. */
  private async findPageParts({ account, streams }: Behind): Promise<PagePart[]> {
    const wanted = Array.from(streams, ([stream, seq]) => ({ stream, seq })).slice(0, maxPageEntries);
    if (wanted.length === 0) return [];
    await this.readReopened(account, wanted);
    const nextLiveSeqs = wanted.map(({ stream }) => this.nextLiveSeq(account, stream));
    const subscribed = await this.log.findSubscribed(account, wanted);
    // A subscription that is not known here yet would be late later, and its entries would be written again.
    if (!subscribed.every((range) => this.isSubscriptionKnown(account, range))) await this.streams.readToEnd(account);
    const parts: PagePart[] = [];
    let entriesLeft = maxPageEntries;
    for (const [i, position] of wanted.entries()) {
      const { stream } = position;
      const nextLive = nextLiveSeqs[i];
      // The account was subscribed while the memberships were read: what is not delivered live is read next time.
      if (nextLive === undefined && this.nextLiveSeq(account, stream) !== undefined) continue;
      const ranges = subscribed.filter((range) => range.stream === stream);
      const part = pagePartOf(position, ranges, { nextLive, maxEntries: entriesLeft });
      parts.push(part);
      entriesLeft -= countEntries(part.ranges);
      if (entriesLeft === 0) break;
    }
    return parts;
  }

  /** Reads streams that were closed and opened again, and have delivered less than the connection has received. */
  private async readReopened(account: string, wanted: readonly Position[]): Promise<void> {
    const reopened = wanted.filter(({ stream, seq }) => (this.nextLiveSeq(account, stream) ?? seq) < seq);
    if (reopened.length === 0) return;
    await this.streams.readUpTo(reopened.map(({ stream, seq }) => ({ stream, seq: seq - 1 })));
  }

  /** Whether this instance knows the subscription that a range belongs to. */
  private isSubscriptionKnown(account: string, { stream: id, to }: EntryRange): boolean {
    const stream = this.streams.find(id);
    // An unconfirmed subscription may have ended already: it would make a later one look known.
    return stream?.subscribers.receives(account, to) === true && stream.subscribers.isConfirmed(account);
  }

  /** Returns the next entry of a stream that an account receives live; undefined if it is not subscribed here. */
  private nextLiveSeq(account: string, stream: string): number | undefined {
    return this.streams.find(stream)?.nextSeq(account);
  }

  /**
   * Notes that a connection has received everything before a sequence number. The stream is live if live delivery goes
   * on with exactly that entry.
   *
   * @param hasLeft whether the account, if it is not subscribed, receives nothing more
   */
  private moveTo({ account, streams }: Behind, { stream, seq }: Position, hasLeft: boolean): void {
    const nextLive = this.nextLiveSeq(account, stream);
    const isDone = nextLive === undefined ? hasLeft : seq === nextLive;
    // Moves a stream that is not done to the end of the map, so that the next page begins with the others.
    streams.delete(stream);
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
    const isOfAccount = ({ request }: PendingReply) => request.connection === connection && request.account === account;
    const replies = this.pending.take(entry, isOfAccount);
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

function countReplies(following: Behind['following']): number {
  return [...following.values()].filter(({ kind }) => kind === undefined).length;
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
