import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { vests } from '../../amounts/vests';
import { type BlockSteps } from './steps';
import { chainAccount } from './chain-account';

/** Sets the amount of a delegation; 0 removes it. If it is reduced, `Ledger` adds a pending return. */
export const delegateVestingShares = onOperation(
  'delegate_vesting_shares_operation',
  z.object({ delegator: chainAccount, delegatee: chainAccount, vesting_shares: vests }),
  (steps: BlockSteps, { delegator, delegatee, vesting_shares: amount }, position) => {
    steps.add(position, { kind: 'set', delegator, delegatee, amount });
  },
);
