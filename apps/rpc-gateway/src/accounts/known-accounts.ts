import { findAccounts, type HiveApi } from '@waggle/chain';
import { assertionFailed } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';
import { LRUCache } from 'lru-cache';
import { accountIds } from './accounts.statements';

/** The id of accounts that are on the chain and have not been met in the index: no row of another table has it. */
export const unmetAccountId = 0;

/** Of accounts that the index has not met: nobody makes a node answer the same again and again. */
const rememberedNames = 100_000;
/** A block: whoever is created in the next is found. */
const absenceMs = 3_000;

/** Which accounts there are: by the index, and where that does not know one, by a node. */
export class KnownAccounts {
  private readonly onChain = new LRUCache<string, Promise<boolean>>({ max: rememberedNames });

  constructor(
    private readonly database: Queryable,
    private readonly hive: HiveApi,
  ) {}

  /** @throws RpcError where there is no such account */
  async getId(name: string): Promise<number> {
    const account = await accountIds.find(this.database, { names: [name] });
    return account?.id ?? (await this.getUnmet(name));
  }

  /** The same of an account that the index is known not to have. */
  async getUnmet(name: string): Promise<number> {
    // It may be older than the index, or too young for it.
    if (!(await this.isOnChain(name))) throw assertionFailed(`Account ${name} does not exist`, 'account');
    return unmetAccountId;
  }

  /** As `getId`; undefined where no name is given. */
  async findId(name: string): Promise<number | undefined> {
    return name === '' ? undefined : this.getId(name);
  }

  /** Once for all who ask at the same time. An account stays where it is; one that is not there may be created any moment. */
  private isOnChain(name: string): Promise<boolean> {
    const known = this.onChain.get(name);
    if (known !== undefined) return known;
    const asked = findAccounts(this.hive, [name]).then(({ length }) => length > 0);
    this.onChain.set(name, asked);
    const forget = () => this.onChain.delete(name);
    asked.then((isThere) => {
      if (!isThere) this.onChain.set(name, asked, { ttl: absenceMs });
    }, forget);
    return asked;
  }
}
