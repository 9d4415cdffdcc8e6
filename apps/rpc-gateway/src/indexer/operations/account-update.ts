import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { metadataChanges } from './account-metadata';

const value = z.object({
  account: z.string(),
  json_metadata: z.string().optional(),
  posting_json_metadata: z.string().optional(),
});

/**
 * Operations that may update the descriptions of an account's follow lists, which are in the profile of its metadata.
 */
export const accountUpdates = ['account_update_operation', 'account_update2_operation'].map((type) =>
  onOperation(type, value, (updates: IndexUpdates, { account: name, ...metadata }, position) => {
    // Many operations update only keys.
    if (!metadata.json_metadata && !metadata.posting_json_metadata) return;
    updates.add(position, {
      declareReads: (readSet) => {
        readSet.addAccount(name);
      },
      apply: ({ accounts }) => {
        const account = accounts.find(name);
        if (account) accounts.change(account.id, () => metadataChanges(metadata));
      },
    });
  }),
);
