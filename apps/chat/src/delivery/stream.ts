import { type Entry } from '../log/entry';
import { StreamSubscribers } from './stream-subscribers';

/*
 * A stream orders its entries, which arrive from own commits, Redis and the database in any order and any number of
 * times. `delivered` and `expected` are sequence numbers.
 *
 * | state       | condition             | entry n arrives                       | leads to                      |
 * |-------------|-----------------------|---------------------------------------|-------------------------------|
 * | not started | `delivered` undefined | it waits                              | `start`: current or behind    |
 * | current     | expected <= delivered | the next one: it is delivered; an     | a later entry, `expect` or    |
 * |             |                       | earlier one: ignored; later: it waits | `expectMore`: behind          |
 * | behind      | expected > delivered  | as above, and waiting entries that    | `expected` is delivered, or   |
 * |             |                       | follow are delivered too              | `catchUp` to the end: current |
 */

/**
 * Maximum number of entries of a stream that wait for the entries before them. Further ones are read from the database
 * when it is their turn.
 */
const maxWaiting = 1_000;

/** A stream with local subscribers: delivers each entry once and in order, and knows which are missing. */
export class Stream {
  readonly subscribers = new StreamSubscribers();
  private delivered: number | undefined;
  /** The last entry to deliver; infinite if it is unknown until the database is read to the end of the stream. */
  private expected = 0;
  /** The last entry that is expected since the current read of the database began, which may lack it. */
  private expectedSinceRead = 0;
  /** Entries that arrived before their predecessors, by sequence number. */
  private readonly waiting = new Map<number, Entry>();

  constructor(
    readonly id: string,
    private readonly deliver: (entry: Entry) => void,
  ) {}

  /** The sequence number of the last delivered entry, or the one that `start` was called with; 0 before `start`. */
  get deliveredSeq(): number {
    return this.delivered ?? 0;
  }

  get hasStarted(): boolean {
    return this.delivered !== undefined;
  }

  /** Whether entries are expected that are not delivered; false before `start`. */
  get isBehind(): boolean {
    return this.delivered !== undefined && this.expected > this.delivered;
  }

  /** Begins delivery after a sequence number: delivers the entries that already arrived and follow it. */
  start(after: number): void {
    this.delivered = after;
    this.deliverReady();
  }

  /** Whether every entry up to this one is delivered. */
  hasDelivered(seq: number): boolean {
    return this.delivered !== undefined && this.delivered >= seq;
  }

  /** Records that the entries up to this one exist. */
  expect(seq: number): void {
    this.expected = Math.max(this.expected, seq);
    this.expectedSinceRead = Math.max(this.expectedSinceRead, seq);
  }

  /** Records that an unknown number of entries may exist: the stream is behind until it is read to its end. */
  expectMore(): void {
    this.expected = Infinity;
  }

  /**
   * Delivers an entry and the waiting ones that follow it, or keeps it until the entries before it arrive. Ignores a
   * delivered one.
   */
  accept(entry: Entry): void {
    const { seq } = entry;
    this.expect(seq);
    if (this.hasDelivered(seq)) return;
    if (this.waiting.size < maxWaiting || seq === this.deliveredSeq + 1) this.waiting.set(seq, entry);
    this.deliverReady();
  }

  /** Prepares `catchUp`. To be called before the database is read. */
  beginCatchUp(): void {
    this.expectedSinceRead = 0;
  }

  /**
   * Delivers the next entries of the database. Sequence numbers that are missing between them belong to entries that
   * retention has removed.
   *
   * @param isAll whether the database held no further entries when it was read
   * @throws Error before `start`
   */
  catchUp(entries: readonly Entry[], isAll: boolean): void {
    if (this.delivered === undefined) throw new Error('the stream has not started');
    // Read before `accept` raises it.
    const { expectedSinceRead } = this;
    for (const entry of entries) {
      // Skips the sequence numbers before it.
      if (entry.seq > this.delivered) this.delivered = entry.seq - 1;
      this.accept(entry);
    }
    for (const seq of this.waiting.keys()) if (this.hasDelivered(seq)) this.waiting.delete(seq);
    if (!isAll) return;
    // A failover may have lost the other expected entries (ADR 20).
    this.expected = Math.max(this.delivered, expectedSinceRead, ...this.waiting.keys());
  }

  /** Returns the sequence number of the next entry that an account receives live; undefined if it is not subscribed. */
  nextSeq(account: string): number | undefined {
    const start = this.subscribers.startOf(account);
    return start === undefined ? undefined : Math.max(start, this.deliveredSeq + 1);
  }

  private deliverReady(): void {
    if (this.delivered === undefined) return;
    for (;;) {
      const next = this.waiting.get(this.delivered + 1);
      if (next === undefined) return;
      this.delivered += 1;
      this.waiting.delete(this.delivered);
      this.deliver(next);
    }
  }
}
