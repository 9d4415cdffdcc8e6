import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { accountCreation } from './account-creation';

export const accountCreateWithDelegation = onOperation(
  'account_create_with_delegation_operation',
  z.object({ new_account_name: z.string(), json_metadata: z.string().optional() }),
  (updates: IndexUpdates, { new_account_name: name, ...metadata }, position) => {
    updates.add(position, accountCreation(name, metadata));
  },
);
