import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { accountCreation } from './account-creation';

const value = z.object({ new_account_name: z.string(), json_metadata: z.string().optional() });

/** Operations by which an account creates another. They differ only in how it pays. (`pow` and `pow2` create accounts by mining.) */
export const accountCreations = [
  'account_create_operation',
  'account_create_with_delegation_operation',
  'create_claimed_account_operation',
].map((type) =>
  onOperation(type, value, (updates: IndexUpdates, { new_account_name: name, json_metadata }, position) => {
    updates.add(position, accountCreation(name, { json_metadata }));
  }),
);
