import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { createAccount } from './create-account';

const value = z.object({ new_account_name: z.string(), json_metadata: z.string().optional() });

/** Operations that create an account. They differ only in how the creator pays. */
export const accountCreations = [
  'account_create_operation',
  'account_create_with_delegation_operation',
  'create_claimed_account_operation',
].map((type) =>
  onOperation(type, value, (updates: IndexUpdates, { new_account_name: name, ...metadata }, position) => {
    updates.add(position, createAccount(name, metadata));
  }),
);
