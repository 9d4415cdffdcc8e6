import { communityRoles } from '../../communities/roles';
import { type Account } from '../book/accounts';
import { type Book } from '../book/book';
import { type Community } from '../book/communities';
import { type Post } from '../book/posts';
import { type Moment } from '../effects';
import { tell } from '../telling';
import { textOf, type Payload } from './payload';
import { refuseUnless } from './refusal';
import { communityScore } from './register-community';

/** What does not concern one as much: of a community that one is not subscribed to. */
const strangersScore = 15;

const longestName = 16;
const longestPermlink = 256;
const longestNotes = 120;

/** An action that somebody wants done in a community that exists, and what may be asked of it. */
export class CommunityCall {
  constructor(
    readonly book: Book,
    readonly moment: Moment,
    readonly actor: Account,
    readonly community: Community,
    readonly payload: Payload,
  ) {}

  /** The account that is named. @throws Refusal */
  account(): Account {
    const name = textOf(this.payload, 'account', { most: longestName });
    const account = this.book.accounts.find(name);
    refuseUnless(account !== undefined, `account '${name}' does not exist`);
    return account;
  }

  /** The post of that account in the community. @throws Refusal */
  post(): Post {
    const account = this.account();
    const permlink = textOf(this.payload, 'permlink', { most: longestPermlink });
    const post = this.book.posts.find(account.id, permlink);
    refuseUnless(post !== undefined, `post does not exists ${account.name}/${permlink}`);
    refuseUnless(post.communityId === this.community.id, 'post does not belong to community');
    return post;
  }

  /** @throws Refusal */
  notes(): string {
    return textOf(this.payload, 'notes', { most: longestNotes });
  }

  roleOf({ id }: Account): number {
    return this.book.communities.role(this.community.id, id);
  }

  /** @throws Refusal where the actor's role is lower */
  requireRole(role: keyof typeof communityRoles, reason: string): void {
    refuseUnless(this.roleOf(this.actor) >= communityRoles[role], reason);
  }

  isSubscribed({ id }: Pick<Account, 'id'>): boolean {
    return this.book.communities.isSubscribed(this.community.id, id);
  }

  /** Tells an account what was done to it or to its post. */
  tell(type: AccountNews, recipientId: number, { postId = null, payload = null }: Details = {}): void {
    const score = this.isSubscribed({ id: recipientId }) ? communityScore : strangersScore;
    this.send(type, recipientId, { postId, payload, score });
  }

  /** Tells every moderator and above. */
  tellTeam(type: 'set_props' | 'flag_post', { postId = null, payload = null }: Details): void {
    for (const id of this.book.communities.team(this.community.id)) {
      this.send(type, id, { postId, payload, score: communityScore });
    }
  }

  private send(
    type: AccountNews | 'set_props' | 'flag_post',
    recipientId: number,
    details: Required<Details> & { score: number },
  ) {
    const news = { recipientId, sourceId: this.actor.id, communityId: this.community.id, ...details };
    tell(this.book, this.moment, type, news);
  }
}

type AccountNews = 'set_role' | 'set_title' | 'mute_post' | 'unmute_post' | 'pin_post' | 'unpin_post';

interface Details {
  readonly postId?: bigint | null;
  readonly payload?: string | null;
}
