import { type OperationPosition } from '@waggle/chain';
import { type IndexUpdates } from '../changeset/index-updates';
import { type AccountMetadata, hasProfile, metadataChanges } from './account-metadata';

/** Updates the descriptions of an account's follow lists, if the metadata contain a profile. */
export function updateAccountMetadata(
  updates: IndexUpdates,
  position: OperationPosition,
  name: string,
  metadata: AccountMetadata,
): void {
  if (!hasProfile(metadata)) return;
  updates.add(position, {
    declareReads: (readSet) => {
      readSet.account(name);
    },
    apply: ({ accounts }) => {
      const account = accounts.find(name);
      if (account) accounts.change(account.id, metadataChanges(metadata));
    },
  });
}
