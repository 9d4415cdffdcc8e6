import { z } from 'zod';
import { vests } from '../../amounts/vests';
import { chainAccount, defineOperation } from './operation-handler';

/** Virtual: days after a delegation was lowered its giver has back what was taken out. Changes no delegation. */
export const returnVestingDelegation = defineOperation({
  name: 'return_vesting_delegation',
  isVirtual: true,
  value: z.object({ account: chainAccount, vesting_shares: vests }),
  step: ({ account: delegator, vesting_shares: amount }) => ({ kind: 'returned', delegator, amount }),
});
