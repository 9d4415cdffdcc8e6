import { type HiveApi } from '@waggle/chain';
import { type Queryable } from '@waggle/service';
import { type AccountDetails, findAccountDetails } from '../../accounts/account-details';
import { KnownAccounts } from '../../accounts/known-accounts';
import { RecentByName } from '../../accounts/recent-by-name';
import { HiveAccountLookup } from '../../accounts/account-lookup';

/** The sources of data of local methods. */
export interface Sources {
  readonly database: Queryable;
  readonly accounts: KnownAccounts;
  readonly details: RecentByName<AccountDetails>;
  /** Raw reputations from nodes, of accounts that are not indexed. */
  readonly reputations: RecentByName<bigint>;
}

export function createSources(database: Queryable, hive: HiveApi): Sources {
  const lookup = new HiveAccountLookup(hive);
  return {
    database,
    accounts: new KnownAccounts(database, hive),
    details: new RecentByName((names) => findAccountDetails(hive, names)),
    reputations: new RecentByName((names) => lookup.findReputations(names)),
  };
}
