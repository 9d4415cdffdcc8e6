import { z } from 'zod';
import { chainAccount, defineOperation } from './operation-handler';

/** Virtual: hardfork 23 took everything from an account, what it delegated too. */
export const hardforkHive = defineOperation({
  name: 'hardfork_hive',
  isVirtual: true,
  value: z.object({ account: chainAccount, other_affected_accounts: z.array(chainAccount).default([]) }),
  step: ({ account: delegator, other_affected_accounts: delegatees }) => ({ kind: 'clear', delegator, delegatees }),
});
