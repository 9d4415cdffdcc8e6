import {
  findAccountsMethod,
  followerProbes,
  knownAccount,
  knownAccountFinding,
  type Probe,
  works,
} from '@waggle/chain';
import { HiveAccountLookup, readReputation, reputationsMethod } from '../accounts/account-lookup';
import { listAccounts, listAccountsMethod } from '../accounts/older-accounts';
import { handlers, virtualOperations } from './operations';

/** What the indexer calls. */
export const indexerProbes: readonly Probe[] = [
  ...followerProbes({
    virtualOperations,
    handlers,
    frequent: ['effective_comment_vote', 'comment_reward', 'comment_payout_update'],
  }),
  {
    method: findAccountsMethod,
    purpose: 'accounts older than the index',
    requiredNodes: 'one',
    consequence: 'an index that begins after block 1 cannot be written',
    run: async (node) => {
      const found = await new HiveAccountLookup(node).findCreatedBefore([knownAccount], new Date());
      return knownAccountFinding(found.get(knownAccount));
    },
  },
  {
    method: listAccountsMethod,
    purpose: 'accounts older than the index',
    requiredNodes: 'one',
    consequence: 'an index that begins after block 1 counts as incomplete',
    run: async (node) => {
      await listAccounts(node, '');
      return works;
    },
  },
  {
    method: reputationsMethod,
    purpose: 'accounts older than the index',
    requiredNodes: 'one',
    consequence: 'an index that begins after block 1 does not know the reputations of older accounts',
    run: async (node) => {
      await readReputation(node, knownAccount);
      return works;
    },
  },
];
