import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { accountCreation } from './account-creation';

export const createClaimedAccount = onOperation(
  'create_claimed_account_operation',
  z.object({ new_account_name: z.string(), json_metadata: z.string().optional() }),
  (updates: IndexUpdates, { new_account_name: name, ...metadata }, position) => {
    updates.add(position, accountCreation(name, metadata));
  },
);
