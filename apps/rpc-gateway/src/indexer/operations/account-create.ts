import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type Effects } from '../effects';
import { accountCreation } from './account-creation';

export const accountCreate = onOperation(
  'account_create_operation',
  z.object({ new_account_name: z.string(), json_metadata: z.string().optional() }),
  (effects: Effects, { new_account_name: name, ...metadata }, place) => {
    effects.add(place, accountCreation(name, metadata));
  },
);
