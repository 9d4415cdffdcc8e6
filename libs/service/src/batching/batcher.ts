/** How a `Batcher` flushes. */
export interface BatcherOptions<Item, Result> {
  /** Returns what an item belongs to. Items of one key are in one flush at a time, in the order of `add`. */
  keyOf: (item: Item) => string;
  /**
   * Processes items together. The promises of `add` resolve in the order of the map. A result that is a promise keeps
   * the key of its item busy until it settles; the flush ends without it.
   */
  flush: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Result | Promise<Result>>>;
  /** Maximum number of items in a flush. */
  maxItems: number;
  /** Maximum number of concurrent flushes. */
  maxFlushes: number;
  /** Maximum number of queued items; beyond it `add` rejects. */
  maxQueued: number;
  /** Maximum number of queued items of one key, so that one key cannot fill the queue; beyond it `add` rejects. */
  maxQueuedPerKey: number;
  /**
   * `add` rejects if an item has waited for longer when the next flush begins. There is no timer: while all flushes
   * hang, items wait.
   */
  maxWaitMs: number;
  /** Returns the error of an item that has no room or waits for too long. */
  overloaded: () => Error;
}

interface Queued<Item, Result> {
  readonly item: Item;
  readonly key: string;
  readonly sinceMs: number;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects items and processes them in batches. Queued items go into the next flush, which begins as soon as fewer than
 * `maxFlushes` run, except items whose key is busy. There are no timers, so a single item is not delayed, and many
 * items share the cost of a flush.
 */
export class Batcher<Item, Result> {
  private queue: Queued<Item, Result>[] = [];
  /** Number of queued items by key, of keys with any. */
  private readonly queuedByKey = new Map<string, number>();
  private readonly busyKeys = new Set<string>();
  private runningFlushes = 0;

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  /**
   * Resolves with the result of the item. Rejects if the flush fails, too many items are queued, in all or of its key,
   * or this one waits for too long.
   */
  add(item: Item): Promise<Result> {
    const { keyOf, maxQueued, maxQueuedPerKey, overloaded } = this.options;
    return new Promise((resolve, reject) => {
      const key = keyOf(item);
      const queuedOfKey = this.queuedByKey.get(key) ?? 0;
      if (this.queue.length >= maxQueued || queuedOfKey >= maxQueuedPerKey) {
        reject(overloaded());
        return;
      }
      this.queuedByKey.set(key, queuedOfKey + 1);
      this.queue.push({ item, key, sinceMs: performance.now(), resolve, reject });
      // While its key is busy, this item cannot be flushed, and `advance` already took all that can.
      if (!this.busyKeys.has(key)) this.advance();
    });
  }

  /** Begins flushes while there is room. */
  private advance(): void {
    while (this.runningFlushes < this.options.maxFlushes) {
      const batch = this.takeBatch();
      if (batch.length === 0) return;
      void this.runFlush(batch);
    }
  }

  /** Takes the first items whose keys are not busy. */
  private takeBatch(): Queued<Item, Result>[] {
    if (this.queue.length === 0) return [];
    this.rejectLate();
    const batch: Queued<Item, Result>[] = [];
    const left: Queued<Item, Result>[] = [];
    for (const [i, queued] of this.queue.entries()) {
      if (batch.length === this.options.maxItems) {
        left.push(...this.queue.slice(i));
        break;
      }
      if (this.busyKeys.has(queued.key)) left.push(queued);
      else batch.push(queued);
    }
    this.queue = left;
    this.uncount(batch);
    return batch;
  }

  private async runFlush(batch: readonly Queued<Item, Result>[]): Promise<void> {
    const keys = new Set(batch.map(({ key }) => key));
    for (const key of keys) this.busyKeys.add(key);
    this.runningFlushes += 1;
    // Called after the next flush begins, so that it does not wait until callers process these results.
    let settle: () => void;
    try {
      const results = await this.options.flush(batch.map(({ item }) => item));
      for (const [key, unfinished] of this.unfinishedByKey(results)) {
        keys.delete(key);
        this.releaseAfter(unfinished, key);
      }
      settle = () => {
        this.resolveAll(batch, results);
      };
    } catch (error) {
      settle = () => {
        for (const { reject } of batch) reject(error);
      };
    }
    this.runningFlushes -= 1;
    for (const key of keys) this.busyKeys.delete(key);
    this.advance();
    settle();
  }

  private releaseAfter(unfinished: readonly Promise<Result>[], key: string): void {
    void Promise.allSettled(unfinished).then(() => {
      this.busyKeys.delete(key);
      this.advance();
    });
  }

  private resolveAll(
    batch: readonly Queued<Item, Result>[],
    results: ReadonlyMap<Item, Result | Promise<Result>>,
  ): void {
    const byItem = new Map(batch.map((queued) => [queued.item, queued]));
    for (const [item, result] of results) {
      byItem.get(item)?.resolve(result);
      byItem.delete(item);
    }
    for (const { reject } of byItem.values()) reject(new Error('a flush without a result for each item'));
  }

  /** The results that are still promises. */
  private unfinishedByKey(results: ReadonlyMap<Item, Result | Promise<Result>>): Map<string, Promise<Result>[]> {
    const byKey = new Map<string, Promise<Result>[]>();
    for (const [item, result] of results) {
      if (!(result instanceof Promise)) continue;
      const key = this.options.keyOf(item);
      byKey.set(key, [...(byKey.get(key) ?? []), result]);
    }
    return byKey;
  }

  /** Rejects items that waited for too long. The queue is in the order of `add`, so they are the first ones. */
  private rejectLate(): void {
    const { maxWaitMs, overloaded } = this.options;
    const nowMs = performance.now();
    if (this.queue[0] === undefined || nowMs - this.queue[0].sinceMs <= maxWaitMs) return;
    const firstInTime = this.queue.findIndex(({ sinceMs }) => nowMs - sinceMs <= maxWaitMs);
    const late = this.queue.splice(0, firstInTime === -1 ? this.queue.length : firstInTime);
    this.uncount(late);
    for (const { reject } of late) reject(overloaded());
  }

  /** Subtracts items that left the queue from `queuedByKey`. */
  private uncount(removed: readonly Queued<Item, Result>[]): void {
    for (const { key } of removed) {
      const left = (this.queuedByKey.get(key) ?? 0) - 1;
      if (left > 0) this.queuedByKey.set(key, left);
      else this.queuedByKey.delete(key);
    }
  }
}

/** Returns a rejected promise as the result of an item: it may be awaited late, without an unhandled rejection. */
export function rejected(error: unknown): Promise<never> {
  const rejection = Promise.reject(error instanceof Error ? error : new Error(String(error)));
  rejection.catch(() => undefined);
  return rejection;
}
