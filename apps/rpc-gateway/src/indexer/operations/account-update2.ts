import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type Effects } from '../effects';
import { accountChange } from './account-change';

export const accountUpdate2 = onOperation(
  'account_update2_operation',
  z.object({
    account: z.string(),
    json_metadata: z.string().optional(),
    posting_json_metadata: z.string().optional(),
  }),
  (effects: Effects, { account, ...metadata }, place) => {
    accountChange(effects, place, account, metadata);
  },
);
