import { firstCommunityType, isCommunityName } from '../../communities/community-name';
import { communityRoles } from '../../communities/roles';
import { type Account } from '../book/accounts';
import { type Book } from '../book/book';
import { type Community } from '../book/communities';
import { type Moment } from '../effects';
import { tell } from '../telling';

/** What an account is told of that concerns its community. */
export const communityScore = 35;

export function registerCommunity(book: Book, moment: Moment, account: Account): void {
  putCommunity(book, account, moment.time);
  const { id } = account;
  tell(book, moment, 'new_community', { recipientId: id, sourceId: null, communityId: id, score: communityScore });
}

/** Undefined where there is none. One that is older than the index gets its row when it is first named. */
export function findCommunity(book: Book, name: string): Community | undefined {
  if (!isCommunityName(name)) return undefined;
  const account = book.accounts.find(name);
  if (account === undefined) return undefined;
  const created = book.accounts.createdBefore(name);
  return book.communities.find(account.id) ?? (created && putCommunity(book, account, created));
}

function putCommunity({ communities }: Book, { id, name }: Account, created: Date): Community {
  communities.setRole(id, id, { role: communityRoles.owner });
  return communities.put({
    id,
    typeId: firstCommunityType(name),
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
