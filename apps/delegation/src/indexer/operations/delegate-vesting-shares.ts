import { z } from 'zod';
import { vests } from '../../amounts/vests';
import { chainAccount, defineOperation } from './operation-handler';

/** Sets what one account delegates to another; 0 removes the delegation. */
export const delegateVestingShares = defineOperation({
  name: 'delegate_vesting_shares',
  value: z.object({ delegator: chainAccount, delegatee: chainAccount, vesting_shares: vests }),
  step: ({ delegator, delegatee, vesting_shares: amount }) => ({ kind: 'set', delegator, delegatee, amount }),
});
