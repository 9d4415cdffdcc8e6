import { findAccountsMethod, type HiveApi, HiveRpcError, hiveTime } from '@waggle/chain';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** Reads from nodes what the index lacks about accounts that are older than it. */
export interface AccountLookup {
  /** The creation times of those accounts that were created before `time`. */
  findCreatedBefore(names: readonly string[], time: Date): Promise<ReadonlyMap<string, Date>>;
  /** The raw reputations that are known. */
  findReputations(names: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
}

/** The maximum of hived. */
const namesPerCall = 1_000;

/** A block may name thousands of accounts. */
const maxConcurrentCalls = 8;

/** Names that are known not to be older: texts mention the same names again and again. */
const maxCachedNames = 100_000;

const foundAccounts = z.object({ accounts: z.array(z.object({ name: z.string(), created: hiveTime })) });

export const reputationsMethod = 'condenser_api.get_account_reputations';

const reputations = z.array(
  z.object({
    account: z.string(),
    reputation: z.union([z.int(), z.string().regex(/^-?\d{1,19}$/)]).transform(BigInt),
  }),
);

/** Queries Hive nodes, and caches which accounts are not older, because that never changes. */
export class HiveAccountLookup implements AccountLookup {
  private readonly notOlder = new LRUCache<string, true>({ max: maxCachedNames });

  constructor(private readonly api: HiveApi) {}

  async findCreatedBefore(names: readonly string[], time: Date): Promise<ReadonlyMap<string, Date>> {
    const older = new Map<string, Date>();
    const unknown = names.filter((name) => !this.notOlder.has(name));
    const parts: string[][] = [];
    for (let first = 0; first < unknown.length; first += namesPerCall)
      parts.push(unknown.slice(first, first + namesPerCall));
    await forEachConcurrently(parts, async (part) => {
      const { accounts } = await this.api.call(findAccountsMethod, { accounts: part }, foundAccounts);
      for (const { name, created } of accounts) if (created < time) older.set(name, created);
      for (const name of part) if (!older.has(name)) this.notOlder.set(name, true);
    });
    return older;
  }

  async findReputations(names: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
    const found = new Map<string, bigint>();
    await forEachConcurrently(names, async (name) => {
      const reputation = await this.findReputation(name);
      if (reputation !== undefined) found.set(name, reputation);
    });
    return found;
  }

  private async findReputation(name: string): Promise<bigint | undefined> {
    try {
      return await readReputation(this.api, name);
    } catch (error) {
      // The node does not store reputations.
      if (error instanceof HiveRpcError) return undefined;
      throw error;
    }
  }
}

/** Reads the raw reputation of an account. @throws HiveRpcError if the nodes do not store reputations */
export async function readReputation(api: HiveApi, name: string): Promise<bigint | undefined> {
  const listed = await api.call(reputationsMethod, [name, 1], reputations);
  return listed.find(({ account }) => account === name)?.reputation;
}

/** Makes at most `maxConcurrentCalls` calls at once. */
async function forEachConcurrently<Item>(items: readonly Item[], call: (item: Item) => Promise<void>): Promise<void> {
  for (let first = 0; first < items.length; first += maxConcurrentCalls)
    await Promise.all(items.slice(first, first + maxConcurrentCalls).map(call));
}
