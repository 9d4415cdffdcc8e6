import { type HiveApi } from '@waggle/chain';
import { type Queryable } from '@waggle/service';
import { type AccountDetails, findAccountDetails } from '../../accounts/account-details';
import { KnownAccounts } from '../../accounts/known-accounts';
import { AccountDataCache } from '../../accounts/account-data-cache';
import { HiveAccountLookup } from '../../accounts/account-lookup';
import { PostBodies } from '../../posts/post-bodies';
import { BlockCache } from '../block-cache';

/** What local methods read from: the index, and data of accounts from Hive nodes that the index lacks. */
export interface Sources {
  readonly database: Queryable;
  /** Resolves names, in the index first, then on a node. */
  readonly accounts: KnownAccounts;
  /** Data of accounts that is never indexed. */
  readonly accountDetails: AccountDataCache<AccountDetails>;
  /** Raw reputations, for accounts whose reputation the index does not have. */
  readonly reputations: AccountDataCache<bigint>;
  /** Reads bodies of posts, in the index first, then on a node. */
  readonly postBodies: PostBodies;
  /** Shares results between calls until the next block. */
  readonly perBlock: BlockCache;
}

/** @param currentBlock as of `BlockCache`; by default, results are not shared */
export function createSources(
  database: Queryable,
  hive: HiveApi,
  currentBlock: () => string | undefined = () => undefined,
): Sources {
  const lookup = new HiveAccountLookup(hive);
  return {
    database,
    accounts: new KnownAccounts(database, hive),
    accountDetails: new AccountDataCache((names) => findAccountDetails(hive, names)),
    reputations: new AccountDataCache((names) => lookup.findReputations(names)),
    postBodies: new PostBodies(database, hive),
    perBlock: new BlockCache(currentBlock),
  };
}
