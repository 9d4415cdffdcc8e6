import { findAccounts, type HiveApi } from '@waggle/chain';
import { assertionFailed } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';
import { accountIds } from './accounts.statements';

/** The id of accounts that are on the chain and have not been met in the index: no row of another table has it. */
export const unmetAccountId = 0;

/** Which accounts there are: by the index, and where that does not know one, by a node. */
export class KnownAccounts {
  constructor(
    private readonly database: Queryable,
    private readonly hive: HiveApi,
  ) {}

  /** @throws RpcError where there is no such account */
  async getId(name: string): Promise<number> {
    const { rows } = await this.database.query<{ id: number }>({ ...accountIds, values: [[name]] });
    return rows[0]?.id ?? (await this.getUnmet(name));
  }

  /** The same of an account that the index is known not to have. */
  async getUnmet(name: string): Promise<number> {
    // It may be older than the index, or too young for it.
    const [account] = await findAccounts(this.hive, [name]);
    if (account === undefined) throw assertionFailed(`Account ${name} does not exist`);
    return unmetAccountId;
  }

  /** As `getId`; undefined where no name is given. */
  async findId(name: string): Promise<number | undefined> {
    return name === '' ? undefined : this.getId(name);
  }
}
