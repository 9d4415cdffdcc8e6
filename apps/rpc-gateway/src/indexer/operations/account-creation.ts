import { isCommunityName } from '../../communities/community-name';
import { type Effect } from '../effects';
import { registerCommunity } from '../community/register-community';
import { type AccountMetadata, hasProfile, metadataChanges } from './account-metadata';

/** An account comes to be; where its name says so, so does a community. */
export function accountCreation(name: string, metadata: AccountMetadata = {}): Effect {
  return {
    need: (needs) => {
      if (isCommunityName(name)) needs.community(name);
      else needs.account(name);
    },
    apply: (book, moment) => {
      const account = book.accounts.create(name);
      if (account === undefined) return;
      if (hasProfile(metadata)) book.accounts.change(account.id, metadataChanges(metadata));
      if (isCommunityName(name)) registerCommunity(book, moment, account);
    },
  };
}
