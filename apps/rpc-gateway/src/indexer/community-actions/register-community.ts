import { initialCommunityType, isCommunityName } from '../../communities/community-name';
import { communityRoles } from '../../communities/roles';
import { type Account } from '../changeset/accounts';
import { type Changeset } from '../changeset/changeset';
import { type Community } from '../changeset/communities';
import { notify } from '../changeset/notification-rules';

/** The score of notifications about the recipient's own community or subscriptions. */
export const communityScore = 35;

export function registerCommunity(changeset: Changeset, time: Date, account: Account): void {
  putCommunity(changeset, account, time);
  const { id } = account;
  notify(changeset, time, 'new_community', { recipientId: id, sourceId: null, communityId: id, score: communityScore });
}

/** Finds a community, and adds it to the index if it is older. @returns undefined if it does not exist */
export function findCommunity(changeset: Changeset, name: string): Community | undefined {
  if (!isCommunityName(name)) return undefined;
  const account = changeset.accounts.find(name);
  if (account === undefined) return undefined;
  const created = changeset.accounts.createdBeforeIndex(name);
  return changeset.communities.find(account.id) ?? (created && putCommunity(changeset, account, created));
}

function putCommunity({ communities }: Changeset, { id, name }: Account, created: Date): Community {
  communities.setRoleOrTitle(id, id, { role: communityRoles.owner });
  return communities.put({
    id,
    typeId: initialCommunityType(name),
    title: '',
    about: '',
    lang: 'en',
    isNsfw: false,
    description: '',
    flagText: '',
    settings: '{}',
    created,
    subscribers: 0,
    authors: 0,
    pendingPosts: 0,
    pendingPayout: 0n,
  });
}
