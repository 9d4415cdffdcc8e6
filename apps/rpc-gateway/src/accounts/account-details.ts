import { findAccountsMethod, type HiveApi, hiveTime } from '@waggle/chain';
import { z } from 'zod';

const foundDetails = z.object({
  accounts: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      created: hiveTime,
      last_post: hiveTime,
      last_vote_time: hiveTime.optional(),
      post_count: z.int(),
      json_metadata: z.string(),
      posting_json_metadata: z.string(),
    }),
  ),
});

/** The data of an account that comes from nodes because it is not indexed. */
export type AccountDetails = z.infer<typeof foundDetails>['accounts'][number];

/** @param names at most 1,000, none longer than 16 characters @throws as `HiveApi.call` */
export async function findAccountDetails(
  hive: HiveApi,
  names: readonly string[],
): Promise<ReadonlyMap<string, AccountDetails>> {
  const { accounts } = await hive.call(findAccountsMethod, { accounts: names }, foundDetails);
  return new Map(accounts.map((account) => [account.name, account]));
}
