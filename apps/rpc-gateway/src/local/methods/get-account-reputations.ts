import { z } from 'zod';
import { reputationsFrom } from '../../accounts/accounts.statements';
import { method } from '../declaration/declaration';
import { limit, lowerBound } from '../declaration/parameters';

/** hived writes integers beyond 32 bits as strings. */
const integer = z.union([z.number(), z.string().regex(/^-?\d{1,19}$/)]);
const reputations = z.array(z.object({ account: z.string(), reputation: integer }));

export const getAccountReputations = method({
  name: 'condenser_api.get_account_reputations',
  summary: 'Accounts by name with their raw reputations',
  required: 2,
  parameters: { account_lower_bound: lowerBound('account_lower_bound'), limit: limit(1_000) },
  result: reputations,
  example: { params: { account_lower_bound: 'alice', limit: 1 }, result: [{ account: 'alice', reputation: 6400 }] },
  needs: ['live-head', 'reputations'],
  handle: async ({ account_lower_bound: from, limit: maxAccounts }, { database }) => {
    const rows = await reputationsFrom.query(database, { from, limit: maxAccounts });
    return rows.map(({ account, reputation }) => ({ account, reputation: writtenAsHived(BigInt(reputation ?? 0)) }));
  },
});

function writtenAsHived(value: bigint): number | string {
  return value >= -0xffff_ffffn && value <= 0xffff_ffffn ? Number(value) : String(value);
}
