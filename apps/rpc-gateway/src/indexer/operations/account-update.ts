import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { updateAccountMetadata } from './account-metadata-update';

export const accountUpdate = onOperation(
  'account_update_operation',
  z.object({
    account: z.string(),
    json_metadata: z.string().optional(),
    posting_json_metadata: z.string().optional(),
  }),
  (updates: IndexUpdates, { account, ...metadata }, position) => {
    updateAccountMetadata(updates, position, account, metadata);
  },
);
