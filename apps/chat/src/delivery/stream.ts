import { type Entry } from '../log/entry';
import { type FrameRequest } from '../realtime/frame-request';

/** Maximum number of early entries of a stream. Later ones are read from the database when it is their turn. */
const maxEarly = 1_000;

/** An entry, and the local request that caused it. */
interface Arrival {
  entry: Entry;
  origin: FrameRequest | undefined;
}

/** Receives the entries of a stream, each once and in order. */
export type Deliver = (entry: Entry, stream: Stream, origin: FrameRequest | undefined) => void;

/**
 * A stream with local subscribers: up to where it is delivered, what has arrived early, and who is subscribed from where. Entries
 * arrive from own commits, Redis and the database in any order and any number of times.
 */
export class Stream {
  private readonly early = new Map<number, Arrival>();
  /** The newest entry that is known to exist. */
  private newestSeq = 0;
  /** The newest entry that has become known since the last read of the database began. */
  private newestSinceRead = 0;
  /** Whether the database may hold entries after `newestSeq`. */
  private mayHoldMore = false;
  /** Undefined until `start`. */
  private delivered: number | undefined;
  private started = 0;
  /**
   * The sequence numbers from which each account is subscribed, ascending. An account has more than one while the entries by which it
   * leaves and joins again are missing.
   */
  private readonly starts = new Map<string, readonly number[]>();

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
    return this.starts.size > 0;
  }

  /** Whether an entry is missing before one that exists. */
  get hasGap(): boolean {
    return this.delivered !== undefined && (this.mayHoldMore || this.newestSeq > this.delivered);
  }

  /** The sequence number after which it has begun here. */
  get startedAfter(): number {
    return this.started;
  }

  /** Begins after a sequence number, and delivers what has arrived early. */
  start(after: number) {
    this.started = after;
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

  /** Notes that the database may hold any number of entries more. */
  expectMore() {
    this.mayHoldMore = true;
  }

  /** To be called before the database is read for `fill`. */
  beginFill() {
    this.newestSinceRead = 0;
  }

  /** Delivers an entry and the early ones that follow it, or keeps it until those before it have arrived. Ignores one that is delivered. */
  accept(entry: Entry, origin?: FrameRequest) {
    const { seq } = entry;
    this.expect(seq);
    if (this.hasDelivered(seq)) return;
    const known = this.early.get(seq);
    if (known !== undefined) known.origin = known.origin?.orIfClosed(origin) ?? origin;
    else if (this.early.size < maxEarly || origin !== undefined || seq === this.deliveredSeq + 1)
      this.early.set(seq, { entry, origin });
    this.deliverReady();
  }

  /**
   * Delivers what the database holds next. Sequence numbers that it leaves out before one that it returns are removed entries.
   *
   * @param isAll whether the database held no more when it was read
   */
  fill(entries: readonly Entry[], isAll: boolean) {
    const newestSinceRead = this.newestSinceRead;
    for (const entry of entries) {
      if (entry.seq > this.deliveredSeq) this.delivered = entry.seq - 1;
      this.accept(entry);
    }
    for (const seq of this.early.keys()) if (this.hasDelivered(seq)) this.early.delete(seq);
    if (!isAll) return;
    // What was expected before and is not there was lost by the database.
    this.mayHoldMore = false;
    this.newestSeq = Math.max(this.deliveredSeq, newestSinceRead, ...this.early.keys());
  }

  /** The entries that have arrived early. */
  waiting(): Iterable<Arrival> {
    return this.early.values();
  }

  /** Subscribes an account to the entries from a sequence number on that is not delivered yet. */
  subscribe(account: string, from: number) {
    const starts = this.starts.get(account) ?? [];
    if (!starts.includes(from))
      this.starts.set(
        account,
        [...starts, from].toSorted((one, other) => one - other),
      );
  }

  /** Ends the subscription of an account that begins at a sequence number or before it. @returns whether there is one */
  endSubscription(account: string, seq: number): boolean {
    const starts = this.starts.get(account) ?? [];
    const later = starts.filter((start) => start > seq);
    if (later.length > 0) this.starts.set(account, later);
    else this.starts.delete(account);
    return later.length < starts.length;
  }

  /** Whether an account is subscribed to an entry, as far as is known. */
  isSubscribed(account: string, seq: number): boolean {
    const [start] = this.starts.get(account) ?? [];
    return start !== undefined && start <= seq;
  }

  /** The accounts that are subscribed to an entry. */
  subscribersAt(seq: number): string[] {
    const subscribers: string[] = [];
    for (const [account, starts] of this.starts) if ((starts[0] ?? Infinity) <= seq) subscribers.push(account);
    return subscribers;
  }

  private deliverReady() {
    if (this.delivered === undefined) return;
    for (let next = this.early.get(this.delivered + 1); next !== undefined; next = this.early.get(this.delivered + 1)) {
      this.delivered += 1;
      this.early.delete(this.delivered);
      this.deliver(next.entry, this, next.origin);
    }
  }
}
