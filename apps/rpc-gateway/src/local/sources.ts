import { type HiveApi } from '@waggle/chain';
import { type Queryable } from '@waggle/service';
import { type AccountDetails, findAccountDetails } from '../accounts/account-details';
import { KnownAccounts } from '../accounts/known-accounts';
import { RecentByName } from '../accounts/recent-by-name';
import { NodeFacts } from '../indexer/chain-facts';

/** What methods answer from. */
export interface Sources {
  readonly database: Queryable;
  /** Nodes, for what the index does not keep. */
  readonly hive: HiveApi;
  readonly accounts: KnownAccounts;
  readonly details: RecentByName<AccountDetails>;
  /** Raw reputations as nodes know them, for an index that has not seen every vote. */
  readonly reputations: RecentByName<bigint>;
}

export function createSources(database: Queryable, hive: HiveApi): Sources {
  const facts = new NodeFacts(hive);
  return {
    database,
    hive,
    accounts: new KnownAccounts(database, hive),
    details: new RecentByName((names) => findAccountDetails(hive, names)),
    reputations: new RecentByName((names) => facts.findReputations(names)),
  };
}
