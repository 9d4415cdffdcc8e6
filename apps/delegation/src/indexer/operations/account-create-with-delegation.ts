import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { vests } from '../../amounts/vests';
import { type BlockSteps } from './steps';
import { chainAccount } from './chain-account';

/** Creates an account with a delegation from its creator; without effect here if the amount is 0. */
export const accountCreateWithDelegation = onOperation(
  'account_create_with_delegation_operation',
  z.object({ creator: chainAccount, new_account_name: chainAccount, delegation: vests }),
  (steps: BlockSteps, { creator: delegator, new_account_name: delegatee, delegation: amount }, position) => {
    if (amount > 0n) steps.add(position, { kind: 'set', delegator, delegatee, amount, isLocked: true });
  },
);
