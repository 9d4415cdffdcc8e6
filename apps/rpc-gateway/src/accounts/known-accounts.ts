import { ExistingAccounts, type HiveApi } from '@waggle/chain';
import { assertionFailed } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';
import { accountIds } from './accounts.statements';

/** The id of accounts that exist on the chain but are not indexed: no row refers to it. */
export const unindexedAccountId = 0;

/** Finds accounts in the index or, if they are not indexed, on a node. */
export class KnownAccounts {
  /** Caches which accounts exist, so that repeated requests do not cause repeated calls to nodes. */
  private readonly onChain: ExistingAccounts;

  constructor(
    private readonly database: Queryable,
    hive: HiveApi,
  ) {
    this.onChain = new ExistingAccounts(hive);
  }

  /** Returns the id of an account. @throws RpcError if the account does not exist */
  async getId(name: string): Promise<number> {
    const account = await accountIds.find(this.database, { names: [name] });
    return account?.id ?? (await this.requireOnChain(name));
  }

  /**
   * Asks a node whether an account exists that is not indexed.
   *
   * @returns `unindexedAccountId`
   * @throws RpcError if the account does not exist
   */
  async requireOnChain(name: string): Promise<number> {
    // It may be older than the index, or not irreversible yet.
    if (!(await this.onChain.exists(name))) throw assertionFailed(`Account ${name} does not exist`, 'account');
    return unindexedAccountId;
  }

  /** Returns the id of an account; undefined for an empty name. @throws RpcError if the account does not exist */
  async findId(name: string): Promise<number | undefined> {
    return name === '' ? undefined : this.getId(name);
  }

  /** Returns the id of an account; null if it is not indexed, for an empty name or one of no account too. */
  async findIndexedId(name: string): Promise<number | null> {
    return (await accountIds.find(this.database, { names: [name] }))?.id ?? null;
  }
}
