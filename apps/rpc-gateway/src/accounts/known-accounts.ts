import { findAccounts, type HiveApi } from '@waggle/chain';
import { assertionFailed } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';
import { LRUCache } from 'lru-cache';
import { accountIds } from './accounts.statements';

/** The id of accounts that exist on the chain but are not indexed: no row refers to it. */
export const unindexedAccountId = 0;

/** Of accounts that are not indexed, so that repeated requests do not cause repeated calls to nodes. */
const maxCachedNames = 100_000;
/** A block interval, because the next block may create the account. */
const missingTtlMs = 3_000;

/** Finds accounts in the index, and those that are not indexed on a node. */
export class KnownAccounts {
  private readonly onChain = new LRUCache<string, Promise<boolean>>({ max: maxCachedNames });

  constructor(
    private readonly database: Queryable,
    private readonly hive: HiveApi,
  ) {}

  /** @throws RpcError if the account does not exist */
  async getId(name: string): Promise<number> {
    const account = await accountIds.find(this.database, { names: [name] });
    return account?.id ?? (await this.getUnindexed(name));
  }

  /** As `getId`, for an account that is known not to be indexed. */
  async getUnindexed(name: string): Promise<number> {
    // It may be older than the index, or not irreversible yet.
    if (!(await this.isOnChain(name))) throw assertionFailed(`Account ${name} does not exist`, 'account');
    return unindexedAccountId;
  }

  /** As `getId`; undefined for an empty name. */
  async findId(name: string): Promise<number | undefined> {
    return name === '' ? undefined : this.getId(name);
  }

  /** Caches that an account exists for good, and that it does not for one block. Concurrent calls share one request. */
  private isOnChain(name: string): Promise<boolean> {
    const known = this.onChain.get(name);
    if (known !== undefined) return known;
    const found = findAccounts(this.hive, [name]).then(({ length }) => length > 0);
    this.onChain.set(name, found);
    const forget = () => this.onChain.delete(name);
    found.then((exists) => {
      if (!exists) this.onChain.set(name, found, { ttl: missingTtlMs });
    }, forget);
    return found;
  }
}
