import { z } from 'zod';
import { vests } from '../../amounts/vests';
import { chainAccount, defineOperation } from './operation-handler';

/** Creates an account which its creator delegates to; with nothing delegated it is an account like any other. */
export const accountCreateWithDelegation = defineOperation({
  name: 'account_create_with_delegation',
  value: z.object({ creator: chainAccount, new_account_name: chainAccount, delegation: vests }),
  step: ({ creator, new_account_name: delegatee, delegation: amount }) =>
    amount === 0n ? undefined : { kind: 'set', delegator: creator, delegatee, amount, isKept: true },
});
