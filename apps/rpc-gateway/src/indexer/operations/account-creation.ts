import { isCommunityName } from '../../communities/community-name';
import { type IndexUpdate } from '../changeset/index-updates';
import { registerCommunity } from '../community-actions/register-community';
import { type AccountMetadata, metadataChanges } from './account-metadata';

/** Creates an account, and its community if the name is a community's and communities exist yet. */
export function accountCreation(name: string, metadata: AccountMetadata, hasCommunities: boolean): IndexUpdate {
  const isCommunity = hasCommunities && isCommunityName(name);
  return {
    declareReads: (readSet) => {
      readSet.addAccount(name);
      if (isCommunity) readSet.addCommunity(name);
    },
    apply: (changeset, time) => {
      const account = changeset.accounts.create(name);
      if (account === undefined) return;
      changeset.accounts.change(account.id, () => metadataChanges(metadata));
      if (isCommunity) registerCommunity(changeset, time, account);
    },
  };
}
