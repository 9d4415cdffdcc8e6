import { z } from 'zod';
import { reputationsFrom } from '../../accounts/accounts.statements';
import { trackerScore } from '../../accounts/reputation';
import { method } from '../declaration/declaration';
import { uncheckedAccount } from '../declaration/parameters';

/** Answers as the network's reputation tracker (`get_account_reputation`). */
export const getReputation = method({
  name: '/reputation-api/accounts/{account}/reputation',
  summary: 'The reputation score of an account, 0 for a newcomer',
  required: 1,
  parameters: { account: uncheckedAccount },
  result: z.int(),
  example: { params: { account: 'alice' }, result: 46 },
  needs: ['live-head', 'reputations'],
  handle: async ({ account: name }, { database, accounts }) => {
    const [first] = await reputationsFrom.query(database, { from: name, limit: 1 });
    if (first?.account === name) return trackerScore(first.reputation === null ? null : BigInt(first.reputation));
    await accounts.requireOnChain(name);
    return trackerScore(null);
  },
});
