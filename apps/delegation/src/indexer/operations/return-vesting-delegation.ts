import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { vests } from '../../amounts/vests';
import { type BlockSteps } from './steps';
import { chainAccount } from './chain-account';

/** Virtual: days after a delegation was reduced, the delegator has the difference back. Changes no delegation. */
export const returnVestingDelegation = onOperation(
  'return_vesting_delegation_operation',
  z.object({ account: chainAccount, vesting_shares: vests }),
  (steps: BlockSteps, { account: delegator, vesting_shares: amount }, position) => {
    steps.add(position, { kind: 'returned', delegator, amount });
  },
);
