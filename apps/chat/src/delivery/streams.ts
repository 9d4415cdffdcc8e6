import { EventEmitter } from 'node:events';
import { type Entry, type Position } from '../log/entry';
import { type LogStore } from '../log/log.store';
import { type FrameRequest } from '../realtime/frame-request';
import { type Peers } from './peers';

/**
 * Maximum number of early entries of a stream: entries that have arrived before those that precede them. Further ones are read from the
 * database when it is their turn, except those that were requested here.
 */
const maxEarly = 1_000;

/** An entry, and the local requests that caused it or repeat the one that did, in order of arrival. */
interface Arrival {
  entry: Entry;
  requests: readonly FrameRequest[];
}

/** Receives the entries of a stream, each once and in order. */
export type Deliver = (entry: Entry, stream: Stream, requests: readonly FrameRequest[]) => void;

/**
 * A stream with local subscribers: the last entry that was delivered, the early ones, and the subscribers. Entries arrive from own
 * commits, Redis and the database in any order and any number of times.
 */
export class Stream {
  private readonly early = new Map<number, Arrival>();
  /** The newest entry that is known to exist. `fill` lowers it if the database has lost entries. */
  private newestSeq = 0;
  /** The newest entry that has become known since the last read of the database began. */
  private newestSinceRead = 0;
  /** Whether the database may hold entries after `newestSeq`. */
  private mayHoldMore = false;
  /** Undefined until `start`. */
  private delivered: number | undefined;
  private openedAfter = 0;
  /**
   * The sequence numbers from which each account is subscribed, ascending. An account has more than one if it has joined
   * again before the entry of its leave was delivered.
   */
  private readonly subscribedFrom = new Map<string, readonly number[]>();

  constructor(
    readonly id: string,
    private readonly deliver: Deliver,
  ) {}

  /** Every entry up to this one is delivered; 0 before `start`. */
  get deliveredSeq(): number {
    return this.delivered ?? 0;
  }

  get hasStarted(): boolean {
    return this.delivered !== undefined;
  }

  get hasSubscribers(): boolean {
    return this.subscribedFrom.size > 0;
  }

  /** Whether an entry is, or may be, missing. */
  get hasGap(): boolean {
    return this.delivered !== undefined && (this.mayHoldMore || this.newestSeq > this.delivered);
  }

  /** The delivery on this instance begins after this sequence number. */
  get openedAfterSeq(): number {
    return this.openedAfter;
  }

  /** Begins after a sequence number, and delivers what has arrived early. */
  start(after: number) {
    this.openedAfter = after;
    this.delivered = after;
    this.deliverReady();
  }

  /** Whether every entry up to this one is delivered. */
  hasDelivered(seq: number): boolean {
    return this.delivered !== undefined && this.delivered >= seq;
  }

  /** Notes that entries exist up to this one. */
  expect(seq: number) {
    this.newestSeq = Math.max(this.newestSeq, seq);
    this.newestSinceRead = Math.max(this.newestSinceRead, seq);
  }

  /** Marks the stream as possibly incomplete until it has been read to its end. */
  expectMore() {
    this.mayHoldMore = true;
  }

  /** To be called before the database is read for `fill`. */
  beginFill() {
    this.newestSinceRead = 0;
  }

  /** Delivers an entry and the early ones that follow it, or keeps it until those before it have arrived. Ignores one that is delivered. */
  accept(entry: Entry, requests: readonly FrameRequest[] = []) {
    this.keep(entry, requests);
    this.deliverReady();
  }

  /** Keeps an entry that is not delivered, until `accept`, `fill` or `start` delivers those that are due. */
  keep(entry: Entry, requests: readonly FrameRequest[]) {
    const { seq } = entry;
    this.expect(seq);
    if (this.hasDelivered(seq)) return;
    const known = this.early.get(seq);
    if (known !== undefined)
      known.requests = [...known.requests.filter(({ isObsolete }) => !isObsolete), ...requests].toSorted(
        (one, other) => one.receivedAtMs - other.receivedAtMs,
      );
    else if (this.early.size < maxEarly || requests.length > 0 || seq === this.deliveredSeq + 1)
      this.early.set(seq, { entry, requests });
  }

  /**
   * Delivers what the database holds next. Gaps between these entries are entries that retention has removed.
   *
   * @param isAll whether the database held no more when it was read
   */
  fill(entries: readonly Entry[], isAll: boolean) {
    // Read before the entries that were read raise it.
    const newestSinceRead = this.newestSinceRead;
    for (const entry of entries) {
      if (entry.seq > this.deliveredSeq) this.delivered = entry.seq - 1;
      this.accept(entry);
    }
    for (const seq of this.early.keys()) if (this.hasDelivered(seq)) this.early.delete(seq);
    if (!isAll) return;
    // The database lost what was expected and is not there, in a failover (ADR 20).
    this.mayHoldMore = false;
    this.newestSeq = Math.max(this.deliveredSeq, newestSinceRead, ...this.early.keys());
  }

  /** The entries that have arrived early. */
  earlyArrivals(): Iterable<Arrival> {
    return this.early.values();
  }

  /** Subscribes an account to the entries from a sequence number on. It gets those that are delivered already from a backfill. */
  subscribe(account: string, from: number) {
    const starts = this.subscribedFrom.get(account) ?? [];
    if (!starts.includes(from))
      this.subscribedFrom.set(
        account,
        [...starts, from].toSorted((one, other) => one - other),
      );
  }

  /** Ends the subscriptions of an account that begin at or before a sequence number. @returns whether there are any */
  endSubscription(account: string, seq: number): boolean {
    const starts = this.subscribedFrom.get(account) ?? [];
    const later = starts.filter((start) => start > seq);
    if (later.length > 0) this.subscribedFrom.set(account, later);
    else this.subscribedFrom.delete(account);
    return later.length < starts.length;
  }

  /** Whether an account is subscribed to an entry, as far as is known. */
  isSubscribed(account: string, seq: number): boolean {
    const [start] = this.subscribedFrom.get(account) ?? [];
    return start !== undefined && start <= seq;
  }

  /** Returns the sequence number of the next entry that an account receives; undefined if it is not subscribed. */
  nextSeq(account: string): number | undefined {
    const [start] = this.subscribedFrom.get(account) ?? [];
    return start === undefined ? undefined : Math.max(start, this.deliveredSeq + 1);
  }

  /** The accounts that are subscribed to an entry. */
  subscribersAt(seq: number): string[] {
    const subscribers: string[] = [];
    for (const [account, starts] of this.subscribedFrom) if ((starts[0] ?? Infinity) <= seq) subscribers.push(account);
    return subscribers;
  }

  private deliverReady() {
    if (this.delivered === undefined) return;
    for (let next = this.early.get(this.delivered + 1); next !== undefined; next = this.early.get(this.delivered + 1)) {
      this.delivered += 1;
      this.early.delete(this.delivered);
      this.deliver(next.entry, this, next.requests);
    }
  }
}

/**
 * The streams that accounts connected to this instance are subscribed to. Other instances publish them to this one as long as they are
 * open. Emits `gap` when an entry of one of them turns out to be missing, and `filled` when entries were read from the database.
 */
export class OpenStreams extends EventEmitter<{ gap: []; filled: [entries: number] }> {
  private readonly byId = new Map<string, Stream>();
  private readonly gaps = new Set<Stream>();

  /** @param ownCommitsDelivered resolves when the commits of this instance that have begun by now are delivered, or have failed */
  constructor(
    private readonly peers: Peers,
    private readonly log: LogStore,
    private readonly deliver: Deliver,
    private readonly ownCommitsDelivered: () => Promise<void>,
  ) {
    super();
  }

  get size(): number {
    return this.byId.size;
  }

  find(id: string): Stream | undefined {
    return this.byId.get(id);
  }

  ids(): string[] {
    return [...this.byId.keys()];
  }

  open(id: string): Stream {
    const stream = new Stream(id, this.deliverIfOpen);
    this.byId.set(id, stream);
    this.peers.subscribe(id);
    return stream;
  }

  /** Returns the last delivered sequence number of each stream. */
  positions(): Position[] {
    return [...this.byId.values()].flatMap(({ id, hasStarted, deliveredSeq }) =>
      hasStarted ? [{ stream: id, seq: deliveredSeq }] : [],
    );
  }

  /** Closes all streams. */
  closeAll() {
    for (const id of this.byId.keys()) this.peers.unsubscribe(id);
    this.byId.clear();
    this.gaps.clear();
  }

  /** @returns whether the stream is closed now because it has no subscribers */
  closeUnused(stream: Stream): boolean {
    if (stream.hasSubscribers || this.byId.get(stream.id) !== stream) return false;
    this.byId.delete(stream.id);
    this.gaps.delete(stream);
    this.peers.unsubscribe(stream.id);
    return true;
  }

  /** Notes whether the stream has a gap. To be called after every change of a stream. */
  checkGap(stream: Stream) {
    if (!stream.hasGap || this.byId.get(stream.id) !== stream) {
      this.gaps.delete(stream);
    } else if (!this.gaps.has(stream)) {
      this.gaps.add(stream);
      this.emit('gap');
    }
  }

  /** Records the last committed sequence numbers of streams. */
  expect(positions: readonly Position[]) {
    for (const { stream: id, seq } of positions) {
      const stream = this.byId.get(id);
      stream?.expect(seq);
      if (stream !== undefined) this.checkGap(stream);
    }
  }

  /** Returns the streams with a gap, and after which sequence number it begins. */
  missing(): Position[] {
    return Array.from(this.gaps, ({ id, deliveredSeq }) => ({ stream: id, seq: deliveredSeq }));
  }

  /**
   * Delivers what the database holds after the given positions, some of it if that is much. Streams that have been delivered further
   * meanwhile ignore what they have already.
   *
   * @returns how many entries it has read
   */
  async fill(after: readonly Position[]): Promise<number> {
    const streams = after.flatMap(({ stream }) => this.byId.get(stream) ?? []);
    for (const stream of streams) stream.beginFill();
    const entries = await this.log.findEntries(after);
    // Their delivery is the reply to their requests.
    await this.ownCommitsDelivered();
    const byStream = new Map<string, Entry[]>(streams.map(({ id }) => [id, []]));
    for (const entry of entries) byStream.get(entry.stream)?.push(entry);
    for (const stream of streams) {
      // One that was closed meanwhile, and opened again, is to be read again.
      if (this.byId.get(stream.id) !== stream) continue;
      const found = byStream.get(stream.id) ?? [];
      stream.fill(found, found.length < this.log.maxEntries);
      this.checkGap(stream);
    }
    this.emit('filled', entries.length);
    return entries.length;
  }

  /** A stream may be closed, and another one opened, while it delivers its early entries. */
  private readonly deliverIfOpen: Deliver = (entry, stream, requests) => {
    if (this.byId.get(stream.id) === stream) this.deliver(entry, stream, requests);
  };
}
