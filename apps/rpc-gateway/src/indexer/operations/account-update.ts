import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { mayHaveProfile, metadataChanges } from './account-metadata';

const value = z.object({
  account: z.string(),
  json_metadata: z.string().optional(),
  posting_json_metadata: z.string().optional(),
});

/** Operations that update the descriptions of an account's follow lists, if the metadata contain a profile. */
export const accountUpdates = ['account_update_operation', 'account_update2_operation'].map((type) =>
  onOperation(type, value, (updates: IndexUpdates, { account: name, ...metadata }, position) => {
    if (!mayHaveProfile(metadata)) return;
    updates.add(position, {
      declareReads: (readSet) => {
        readSet.addAccount(name);
      },
      apply: ({ accounts }) => {
        const account = accounts.find(name);
        if (account) accounts.change(account.id, metadataChanges(metadata));
      },
    });
  }),
);
