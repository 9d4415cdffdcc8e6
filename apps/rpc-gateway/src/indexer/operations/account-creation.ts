import { isCommunityName } from '../../communities/community-name';
import { type IndexUpdate } from '../changeset/index-updates';
import { registerCommunity } from '../community-actions/register-community';
import { type AccountMetadata, metadataChanges } from './account-metadata';

/** Creates an account, and a community if its name is that of one. */
export function accountCreation(name: string, metadata: AccountMetadata = {}): IndexUpdate {
  return {
    declareReads: (readSet) => {
      readSet.addAccount(name);
      if (isCommunityName(name)) readSet.addCommunity(name);
    },
    apply: (changeset, time) => {
      const account = changeset.accounts.create(name);
      if (account === undefined) return;
      changeset.accounts.change(account.id, () => metadataChanges(metadata));
      if (isCommunityName(name)) registerCommunity(changeset, time, account);
    },
  };
}
