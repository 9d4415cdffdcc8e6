import { z } from 'zod';
import { reputationsFrom } from '../../accounts/accounts.statements';
import { firstBlock } from '../../index-state/index-state';
import { method } from '../declaration';
import { limit, lowerBound } from '../parameters';

/** hived writes integers beyond 32 bits as strings. */
const integer = z.union([z.number(), z.string().regex(/^-?\d{1,19}$/)]);
const reputations = z.array(z.object({ account: z.string(), reputation: integer }));

/** Forwarded to a node unless the index starts with the chain, because it then lacks accounts and votes. */
export const getAccountReputations = method({
  name: 'condenser_api.get_account_reputations',
  summary: 'Accounts by name with their raw reputations',
  required: 2,
  parameters: { account_lower_bound: lowerBound('account_lower_bound'), limit: limit(1_000) },
  result: reputations,
  example: { params: { account_lower_bound: 'alice', limit: 1 }, result: [{ account: 'alice', reputation: 6400 }] },
  handle: async ({ account_lower_bound: from, limit: maxAccounts }, { database, hive }) => {
    const state = await firstBlock.find(database, {});
    if (state?.first_block !== 1)
      return hive.call('condenser_api.get_account_reputations', [from, maxAccounts], reputations);
    const rows = await reputationsFrom.query(database, { from, limit: maxAccounts });
    return rows.map(({ account, reputation }) => ({ account, reputation: writtenAsHived(BigInt(reputation ?? 0)) }));
  },
});

function writtenAsHived(value: bigint): number | string {
  return value >= -0xffff_ffffn && value <= 0xffff_ffffn ? Number(value) : String(value);
}
