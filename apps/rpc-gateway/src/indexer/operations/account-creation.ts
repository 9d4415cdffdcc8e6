import { isCommunityName } from '../../communities/community-name';
import { type IndexUpdate } from '../changeset/index-updates';
import { registerCommunity } from '../community-actions/register-community';
import { type AccountMetadata, hasProfile, metadataChanges } from './account-metadata';

/** Creates an account, and a community if its name is that of one. */
export function createAccount(name: string, metadata: AccountMetadata = {}): IndexUpdate {
  return {
    declareReads: (readSet) => {
      if (isCommunityName(name)) readSet.addCommunity(name);
      else readSet.addAccount(name);
    },
    apply: (changeset, time) => {
      const account = changeset.accounts.create(name);
      if (account === undefined) return;
      if (hasProfile(metadata)) changeset.accounts.change(account.id, metadataChanges(metadata));
      if (isCommunityName(name)) registerCommunity(changeset, time, account);
    },
  };
}
