import { type CommunityRoleName, communityRoles } from '../../communities/roles';
import { type Account } from '../changeset/accounts';
import { type Changeset } from '../changeset/changeset';
import { type Community } from '../changeset/communities';
import { type Post } from '../changeset/posts';
import { notify } from '../changeset/notification-rules';
import { textOf, type Payload } from './payload';
import { rejectUnless } from './community-action-error';
import { communityScore } from './register-community';

/** The score of notifications to accounts that are not subscribed to the community. */
const nonSubscriberScore = 15;

const maxNameLength = 16;
const maxPermlinkLength = 256;
const maxNotesLength = 120;

/** An action in a community, such as muting a post. */
export interface CommunityAction {
  /** The name in operations. */
  readonly name: string;
  /** The keys that its payload must have besides `community`; no others are allowed. */
  readonly keys: readonly string[];
  /** @throws CommunityActionError if it is not allowed or not possible, before it changes anything */
  readonly apply: (context: CommunityActionContext) => void;
}

/**
 * What an action works with: the account that signed it, the community, and the accounts and posts that its payload
 * names. Errors have the texts of public gateways, with their mistakes, because clients compare them.
 */
export class CommunityActionContext {
  constructor(
    readonly changeset: Changeset,
    readonly time: Date,
    readonly actor: Account,
    readonly community: Community,
    readonly payload: Payload,
  ) {}

  /** The account that the payload names. @throws CommunityActionError */
  account(): Account {
    const name = textOf(this.payload, 'account', { maxLength: maxNameLength });
    const account = this.changeset.accounts.find(name);
    rejectUnless(account !== undefined, `account '${name}' does not exist`);
    return account;
  }

  /**
   * The account and the permlink that the payload names. Public gateways check the role of the actor before they look
   * for the post.
   *
   * @throws CommunityActionError if the account does not exist
   */
  postLink(): NamedPost {
    return { author: this.account(), permlink: textOf(this.payload, 'permlink', { maxLength: maxPermlinkLength }) };
  }

  /** @throws CommunityActionError if the post does not exist, or is in another community */
  post({ author, permlink }: NamedPost): Post {
    const post = this.changeset.posts.find(author.id, permlink);
    rejectUnless(post !== undefined, 'post does not exist');
    rejectUnless(post.communityId === this.community.id, 'post does not belong to community');
    return post;
  }

  /** @throws CommunityActionError */
  notes(): string {
    return textOf(this.payload, 'notes', { maxLength: maxNotesLength });
  }

  roleOf({ id }: Account): number {
    return this.changeset.communities.role(this.community.id, id);
  }

  /** @throws CommunityActionError if the actor's role is lower */
  requireRole(role: CommunityRoleName, reason: string): void {
    rejectUnless(this.roleOf(this.actor) >= communityRoles[role], reason);
  }

  isSubscribed({ id }: Pick<Account, 'id'>): boolean {
    return this.changeset.communities.subscriptions.find(this.community.id, id) !== undefined;
  }

  /** Notifies an account of an action that concerns it or its post. */
  notifyAccount(
    type: AccountNotificationType,
    recipientId: number,
    { postId = null, payload = null }: Details = {},
  ): void {
    const score = this.isSubscribed({ id: recipientId }) ? communityScore : nonSubscriberScore;
    this.send(type, recipientId, { postId, payload, score });
  }

  /** Notifies moderators and above, except the actor. */
  notifyTeam(type: 'set_props' | 'flag_post', { postId = null, payload = null }: Details): void {
    for (const id of this.changeset.communities.team(this.community.id)) {
      this.send(type, id, { postId, payload, score: communityScore });
    }
  }

  private send(
    type: AccountNotificationType | 'set_props' | 'flag_post',
    recipientId: number,
    details: Required<Details> & { score: number },
  ): void {
    const { actor, community } = this;
    notify(this.changeset, this.time, type, {
      recipientId,
      sourceId: actor.id,
      communityId: community.id,
      ...details,
    });
  }
}

type AccountNotificationType = 'set_role' | 'set_title' | 'mute_post' | 'unmute_post' | 'pin_post' | 'unpin_post';

interface NamedPost {
  readonly author: Account;
  readonly permlink: string;
}

interface Details {
  readonly postId?: bigint | null;
  readonly payload?: string | null;
}
