import { LRUCache } from 'lru-cache';

const maxNames = 10_000;
/** A block interval: as long as a response that depends on the head block is cached. */
const ttlMs = 3_000;

/** Caches data of accounts from nodes for one block. Concurrent calls share one request. */
export class AccountDataCache<Value> {
  private readonly values = new LRUCache<string, Promise<Value | undefined>>({ max: maxNames, ttl: ttlMs });

  /** @param load returns the values for the names that exist */
  constructor(private readonly load: (names: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {}

  /** Returns a value, or undefined, for each name. Rejects as `load` does. */
  async find(names: readonly string[]): Promise<(Value | undefined)[]> {
    const missing = names.filter((name) => !this.values.has(name));
    const found = missing.length === 0 ? undefined : this.load(missing);
    for (const name of missing) {
      const value = found?.then((values) => values.get(name));
      if (value === undefined) continue;
      this.values.set(name, value);
      // A failure is not cached.
      value.catch(() => this.values.delete(name));
    }
    return Promise.all(names.map((name) => this.values.get(name) ?? Promise.resolve(undefined)));
  }
}
