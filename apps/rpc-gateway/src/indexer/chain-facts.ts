import { type HiveApi, HiveRpcError } from '@waggle/chain';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** What the index asks of nodes, since it follows from no block that it has. */
export interface ChainFacts {
  /** Those of the accounts that were created before that time, and when. */
  findOlder(names: readonly string[], time: Date): Promise<ReadonlyMap<string, Date>>;
  /** What nodes know; who is not in it has none that is known. */
  findReputations(names: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
}

/** hived takes at most so many names at once. */
const namesPerCall = 1_000;

/** Names that are asked about at once, each with a call of its own. */
const callsAtOnce = 8;

/** So many names that are on no chain are remembered: texts mention the same ones again and again. */
const rememberedNames = 100_000;

const foundAccounts = z.object({
  accounts: z.array(z.object({ name: z.string(), created: z.string().transform((time) => new Date(`${time}Z`)) })),
});

const reputations = z.array(
  z.object({
    account: z.string(),
    reputation: z.union([z.number(), z.string().regex(/^-?\d{1,19}$/)]).transform(BigInt),
  }),
);

/** Asks nodes, and remembers what can never be otherwise. */
export class NodeFacts implements ChainFacts {
  private readonly notOlder = new LRUCache<string, true>({ max: rememberedNames });

  constructor(private readonly api: HiveApi) {}

  async findOlder(names: readonly string[], time: Date): Promise<ReadonlyMap<string, Date>> {
    const older = new Map<string, Date>();
    const asked = names.filter((name) => !this.notOlder.has(name));
    for (let first = 0; first < asked.length; first += namesPerCall) {
      const part = asked.slice(first, first + namesPerCall);
      const { accounts } = await this.api.call('database_api.find_accounts', { accounts: part }, foundAccounts);
      for (const { name, created } of accounts) if (created < time) older.set(name, created);
      for (const name of part) if (!older.has(name)) this.notOlder.set(name, true);
    }
    return older;
  }

  async findReputations(names: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
    const found = new Map<string, bigint>();
    for (let first = 0; first < names.length; first += callsAtOnce) {
      const part = names.slice(first, first + callsAtOnce);
      await Promise.all(
        part.map(async (name) => {
          const reputation = await this.findReputation(name);
          if (reputation !== undefined) found.set(name, reputation);
        }),
      );
    }
    return found;
  }

  private async findReputation(name: string): Promise<bigint | undefined> {
    try {
      const listed = await this.api.call('condenser_api.get_account_reputations', [name, 1], reputations);
      return listed.find(({ account }) => account === name)?.reputation;
    } catch (error) {
      // A node may not keep them.
      if (error instanceof HiveRpcError) return undefined;
      throw error;
    }
  }
}
