import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { type Entry, type Position } from '../log/entry';
import { LogStore } from '../log/log.store';
import { chunks } from '../portions';
import { Peers } from './peers';

/**
 * Maximum number of entries of a stream that wait for the entries before them. Further ones are read from the database
 * when it is their turn.
 */
const maxWaiting = 1_000;
/** Maximum number of streams whose entries one statement reads. */
const maxStreamsToRead = 50;

/** Receives the entries of a stream, each once and in order. */
type Deliver = (entry: Entry, stream: Stream) => void;

/**
 * A stream with local subscribers: the last entry that was delivered, the entries that wait for the ones before them,
 * and the subscribers. Entries arrive from own commits, Redis and the database in any order and any number of times.
 */
export class Stream {
  private readonly waiting = new Map<number, Entry>();
  /**
   * The newest entry that may exist; infinite until the stream is read to its end. `catchUp` lowers it if there is no
   * such entry.
   */
  private newestSeq = 0;
  /** The newest entry that has become known since the last read of the database began. */
  private newestSinceRead = 0;
  /** The sequence number of the last delivered entry; undefined until `start`. */
  private delivered: number | undefined;
  /**
   * The sequence numbers from which each account is subscribed, ascending. An account has more than one if it has
   * joined again before the entry of its leave was delivered.
   */
  private readonly subscribedFrom = new Map<string, readonly number[]>();
  /**
   * Unconfirmed subscriptions: the sequence number from which each account is subscribed, although it may have left
   * since with an entry that is delivered here already.
   */
  private unconfirmed: Map<string, number> | undefined;

  constructor(
    readonly id: string,
    private readonly deliver: Deliver,
  ) {}

  /** The sequence number up to which every entry is delivered; 0 before `start`. */
  get deliveredSeq(): number {
    return this.delivered ?? 0;
  }

  get hasStarted(): boolean {
    return this.delivered !== undefined;
  }

  get hasSubscribers(): boolean {
    return this.subscribedFrom.size > 0;
  }

  /** Whether there may be an entry that is not delivered yet. */
  get isBehind(): boolean {
    return this.delivered !== undefined && this.newestSeq > this.delivered;
  }

  /** Begins after a sequence number, and delivers the entries that wait for it. */
  start(after: number): void {
    this.delivered = after;
    this.deliverReady();
  }

  /** Whether every entry up to this one is delivered. */
  hasDelivered(seq: number): boolean {
    return this.delivered !== undefined && this.delivered >= seq;
  }

  /** Notes that entries exist up to this one. */
  expect(seq: number): void {
    this.newestSeq = Math.max(this.newestSeq, seq);
    this.newestSinceRead = Math.max(this.newestSinceRead, seq);
  }

  /** Marks the stream as possibly incomplete until it has been read to its end. */
  expectMore(): void {
    this.newestSeq = Infinity;
  }

  /** Prepares `catchUp`. Call it before the database is read. */
  beginCatchUp(): void {
    this.newestSinceRead = 0;
  }

  /**
   * Delivers an entry and the waiting ones that follow it, or keeps it until the entries before it arrive. Ignores one
   * that is delivered.
   */
  accept(entry: Entry): void {
    const { seq } = entry;
    this.expect(seq);
    if (this.hasDelivered(seq)) return;
    if (this.waiting.size < maxWaiting || seq === this.deliveredSeq + 1) this.waiting.set(seq, entry);
    this.deliverReady();
  }

  /**
   * Delivers what the database holds next. If sequence numbers are missing between them, retention has
   * removed those entries.
   *
   * @param isAll whether the database held no more when it was read
   */
  catchUp(entries: readonly Entry[], isAll: boolean): void {
    // Read before the entries that were read raise it.
    const newestSinceRead = this.newestSinceRead;
    for (const entry of entries) {
      if (entry.seq > this.deliveredSeq) this.delivered = entry.seq - 1;
      this.accept(entry);
    }
    for (const seq of this.waiting.keys()) if (this.hasDelivered(seq)) this.waiting.delete(seq);
    if (!isAll) return;
    // The database lost what was expected and is not there, in a failover (ADR 20).
    this.newestSeq = Math.max(this.deliveredSeq, newestSinceRead, ...this.waiting.keys());
  }

  /** Subscribes an account to the entries from a sequence number on that are not delivered yet. */
  subscribe(account: string, from: number): void {
    const starts = [...(this.subscribedFrom.get(account) ?? []), from];
    this.subscribedFrom.set(
      account,
      starts.toSorted((one, other) => one - other),
    );
  }

  /** Ends the subscriptions of an account that begin at or before a sequence number. */
  endSubscription(account: string, seq: number): void {
    const later = this.subscribedFrom.get(account)?.filter((from) => from > seq) ?? [];
    if (later.length > 0) {
      this.subscribedFrom.set(account, later);
    } else {
      this.subscribedFrom.delete(account);
      this.unconfirmed?.delete(account);
    }
  }

  /** Stops live delivery to an account until `confirm` is called with the same sequence number. */
  expectConfirmation(account: string, from: number): void {
    this.unconfirmed ??= new Map();
    this.unconfirmed.set(account, from);
  }

  confirm(account: string, from: number): void {
    if (this.unconfirmed?.get(account) === from) this.unconfirmed.delete(account);
  }

  isConfirmed(account: string): boolean {
    return this.unconfirmed?.has(account) !== true;
  }

  /** Whether an account is subscribed to an entry, as far as is known. */
  isSubscribed(account: string, seq: number): boolean {
    const [from] = this.subscribedFrom.get(account) ?? [];
    return from !== undefined && from <= seq;
  }

  /** Returns the sequence number of the next entry that an account receives; undefined if it is not subscribed. */
  nextSeq(account: string): number | undefined {
    const [from] = this.subscribedFrom.get(account) ?? [];
    return from === undefined ? undefined : Math.max(from, this.deliveredSeq + 1);
  }

  /** The accounts that are subscribed to an entry. */
  subscribersAt(seq: number): string[] {
    const subscribers: string[] = [];
    for (const [account, [from = Infinity]] of this.subscribedFrom) if (from <= seq) subscribers.push(account);
    return subscribers;
  }

  private deliverReady(): void {
    if (this.delivered === undefined) return;
    for (
      let next = this.waiting.get(this.delivered + 1);
      next !== undefined;
      next = this.waiting.get(this.delivered + 1)
    ) {
      this.delivered += 1;
      this.waiting.delete(this.delivered);
      this.deliver(next, this);
    }
  }
}

/**
 * The streams that accounts connected to this instance are subscribed to. Other instances publish them to this one as
 * long as they are open. Emits `entry` for each entry, once and in order within its stream; `behind` when a stream
 * turns out to be behind; and `caught-up` when entries were read from the database.
 */
@Injectable()
export class OpenStreams extends EventEmitter<{
  entry: [entry: Entry, stream: Stream];
  behind: [];
  'caught-up': [entries: number];
}> {
  private readonly byId = new Map<string, Stream>();
  private readonly behind = new Set<Stream>();
  /** Commits of this instance that have begun and whose entries are not delivered yet. */
  private readonly ownCommits = new Set<Promise<unknown>>();

  constructor(
    private readonly peers: Peers,
    private readonly log: LogStore,
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
    const stream = new Stream(id, (entry) => {
      // It may be closed, and another one opened, while it delivers its waiting entries.
      if (this.byId.get(id) === stream) this.emit('entry', entry, stream);
    });
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

  /** Whether the streams are delivered up to the given positions, as far as they have subscribers here. */
  haveDelivered(positions: readonly Position[]): boolean {
    return positions.every(({ stream: id, seq }) => {
      const stream = this.byId.get(id);
      return stream === undefined || !stream.hasStarted || stream.hasDelivered(seq);
    });
  }

  /** Closes all streams. */
  closeAll(): void {
    for (const id of this.byId.keys()) this.peers.unsubscribe(id);
    this.byId.clear();
    this.behind.clear();
  }

  /** Closes a stream if it has no subscribers. */
  closeUnused(stream: Stream): void {
    if (stream.hasSubscribers || this.byId.get(stream.id) !== stream) return;
    this.byId.delete(stream.id);
    this.behind.delete(stream);
    this.peers.unsubscribe(stream.id);
  }

  /**
   * Tracks a commit. `catchUp` waits for tracked commits, so that it does not deliver an entry before the request that
   * the entry replies to is known.
   *
   * @param work commits, and delivers the entries; to be called before it commits
   */
  track<T>(work: Promise<T>): Promise<T> {
    const forget = () => this.ownCommits.delete(settled);
    const settled: Promise<unknown> = work.then(forget, forget);
    this.ownCommits.add(settled);
    return work;
  }

  get hasOwnCommits(): boolean {
    return this.ownCommits.size > 0;
  }

  /** Resolves when the commits of this instance that have begun by now are delivered, or have failed. */
  async ownCommitsDelivered(): Promise<void> {
    await Promise.all(this.ownCommits);
  }

  /** Notes whether the stream is behind. To be called after every change of a stream. */
  checkBehind(stream: Stream): void {
    if (!stream.isBehind || this.byId.get(stream.id) !== stream) {
      this.behind.delete(stream);
    } else if (!this.behind.has(stream)) {
      this.behind.add(stream);
      this.emit('behind');
    }
  }

  /** Records the last committed sequence numbers of streams. */
  expect(positions: readonly Position[]): void {
    for (const { stream: id, seq } of positions) {
      const stream = this.byId.get(id);
      stream?.expect(seq);
      if (stream !== undefined) this.checkBehind(stream);
    }
  }

  /** Returns the last delivered sequence number of each stream that is behind. */
  positionsBehind(): Position[] {
    return Array.from(this.behind, ({ id, deliveredSeq }) => ({ stream: id, seq: deliveredSeq }));
  }

  /**
   * Delivers what the database holds after the given positions, some of it if that is much. Streams that have been
   * delivered further meanwhile ignore what they have already.
   *
   * @returns how many entries it has read
   */
  async catchUp(after: readonly Position[]): Promise<number> {
    let found = 0;
    for (const part of chunks(after, maxStreamsToRead)) found += await this.catchUpSome(part);
    return found;
  }

  /** Delivers what the database holds of a stream by now, if it is open and has started. */
  async readToEnd(id: string): Promise<void> {
    let found: number;
    do {
      const stream = this.byId.get(id);
      found = stream?.hasStarted === true ? await this.catchUp([{ stream: id, seq: stream.deliveredSeq }]) : 0;
    } while (found > 0);
  }

  /** Delivers the entries up to the given positions of those streams that are open. */
  async readUpTo(positions: readonly Position[]): Promise<void> {
    this.expect(positions);
    let found: number;
    do {
      const behind = positions.flatMap(({ stream: id, seq }) => {
        const stream = this.byId.get(id);
        return stream?.hasStarted !== true || stream.hasDelivered(seq) ? [] : { stream: id, seq: stream.deliveredSeq };
      });
      found = behind.length === 0 ? 0 : await this.catchUp(behind);
    } while (found > 0);
  }

  private async catchUpSome(after: readonly Position[]): Promise<number> {
    const streams = after.flatMap(({ stream }) => this.byId.get(stream) ?? []);
    for (const stream of streams) stream.beginCatchUp();
    const entries = await this.log.findEntries(after);
    // Their delivery is the reply to their requests.
    await this.ownCommitsDelivered();
    const byStream = new Map<string, Entry[]>(streams.map(({ id }) => [id, []]));
    for (const entry of entries) byStream.get(entry.stream)?.push(entry);
    for (const stream of streams) {
      // One that was closed meanwhile, and opened again, is to be read again.
      if (this.byId.get(stream.id) !== stream) continue;
      const found = byStream.get(stream.id) ?? [];
      stream.catchUp(found, found.length < this.log.maxEntries);
      this.checkBehind(stream);
    }
    this.emit('caught-up', entries.length);
    return entries.length;
  }
}
