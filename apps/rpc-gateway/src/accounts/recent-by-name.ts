import { LRUCache } from 'lru-cache';

const maxNames = 10_000;
/** A block, in milliseconds: as long as an answer that depends on the head is cached. */
const rememberedMs = 3_000;

/** What nodes say of accounts, asked for once in a block however many clients want to know. */
export class RecentByName<Value> {
  private readonly values = new LRUCache<string, Promise<Value | undefined>>({ max: maxNames, ttl: rememberedMs });

  /** @param ask for the accounts with these names; those that it does not find are missing in its result */
  constructor(private readonly ask: (names: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {}

  /** @returns a value for each name, or undefined; rejects as `ask` does */
  async find(names: readonly string[]): Promise<(Value | undefined)[]> {
    const asked = names.filter((name) => !this.values.has(name));
    const found = asked.length === 0 ? undefined : this.ask(asked);
    for (const name of asked) {
      const value = found?.then((values) => values.get(name));
      if (value === undefined) continue;
      this.values.set(name, value);
      // The next client asks again after a failure.
      value.catch(() => this.values.delete(name));
    }
    return Promise.all(names.map((name) => this.values.get(name) ?? Promise.resolve(undefined)));
  }
}
