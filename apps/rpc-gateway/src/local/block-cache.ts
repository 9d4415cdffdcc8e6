import { JsonText } from '../rpc/json-text';

const maxEntries = 2_000;
const maxLength = 32 * 1024 * 1024;

/**
 * Results that many callers share, such as the first page of a ranking: computed at most once per block of the index.
 * Without a block, or without space, nothing is cached.
 */
export class BlockCache {
  private readonly entries = new Map<string, Promise<unknown>>();
  private length = 0;
  private block: string | undefined;

  /** @param currentBlock names the last block of the index; undefined if there is none */
  constructor(private readonly currentBlock: () => string | undefined) {}

  /** @param key names the result. Only the length of texts counts: other values are to be short. */
  async get<Value>(key: string, compute: () => Promise<Value>): Promise<Value> {
    const block = this.currentBlock();
    if (block !== this.block) this.reset(block);
    const cached = this.entries.get(key);
    // The key determines the type.
    if (cached !== undefined) return cached as Promise<Value>;
    if (block === undefined || this.entries.size >= maxEntries || this.length >= maxLength) return compute();
    const computed = compute();
    this.entries.set(key, computed);
    // Otherwise the entry is of a former block.
    const isCached = () => this.entries.get(key) === computed;
    try {
      const value = await computed;
      if (isCached() && value instanceof JsonText) this.length += value.length;
      return value;
    } catch (error) {
      if (isCached()) this.entries.delete(key);
      throw error;
    }
  }

  private reset(block: string | undefined): void {
    this.block = block;
    this.entries.clear();
    this.length = 0;
  }
}
