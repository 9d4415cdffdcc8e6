import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type BlockSteps } from './steps';
import { chainAccount } from './chain-account';

/** Virtual: hardfork 23 removed the balance of an account and its outgoing delegations. */
export const hardforkHive = onOperation(
  'hardfork_hive_operation',
  z.object({ account: chainAccount, other_affected_accounts: z.array(chainAccount).default([]) }),
  (steps: BlockSteps, { account: delegator, other_affected_accounts: delegatees }, position) => {
    steps.add(position, { kind: 'clear', delegator, delegatees });
  },
);
