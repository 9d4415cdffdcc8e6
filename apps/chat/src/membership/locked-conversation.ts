import { conversationType, type Conversation, type ConversationType } from '@waggle/contracts';
import { type RowIn } from '@waggle/service';
import { type ClientBase } from 'pg';
import { deleteDraft } from '../drafts/drafts.statements';
import { readConversation } from './conversation-rows';
import {
  addMember,
  appointSuccessor,
  currentMembers,
  endMembership,
  hideDm,
  lockConversation,
  memberOfConversation,
  renameConversation,
  setModerator,
  setPreferences,
  showDm,
  unfollowChannel,
} from './membership.statements';

/** The roles of an account in a conversation, in ascending order. */
const roles = ['none', 'member', 'moderator', 'creator'] as const;
export type Role = (typeof roles)[number];

/** Whether a role has at least the rights of another one. */
export function isAtLeast(role: Role, min: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(min);
}

/** What a conversation stores of an account that is or was a member, a follower or a reader. */
type MemberRecord = RowIn<typeof memberOfConversation>;

/**
 * A conversation that a transaction has locked. Until the transaction ends, no other one changes its members, roles or
 * name, or adds a message.
 */
export class LockedConversation {
  /** @param client runs the transaction that holds the lock */
  private constructor(
    readonly client: ClientBase,
    readonly id: string,
    readonly type: ConversationType,
    readonly creator: string,
    private readonly admins: readonly string[],
  ) {}

  /**
   * Locks the conversation until the client's transaction ends. Returns undefined if it does not exist.
   * @param admins the accounts that moderate every channel
   */
  static async lock(
    client: ClientBase,
    id: string,
    admins: readonly string[],
  ): Promise<LockedConversation | undefined> {
    const row = await lockConversation.find(client, { id });
    return row && new LockedConversation(client, id, conversationType.parse(row.type), row.creator, admins);
  }

  /** Returns the record of an account, if it has one. */
  recordOf(account: string): Promise<MemberRecord | undefined> {
    return memberOfConversation.find(this.client, { conversationId: this.id, account });
  }

  /**
   * Returns the role of an account. A creator who left a channel keeps the role if it had no other member.
   * @param record from `recordOf`
   */
  roleOf(account: string, record: MemberRecord | undefined): Role {
    if (account === this.creator && (record?.status === 'member' || this.type === 'channel')) return 'creator';
    if (this.type === 'channel' && this.admins.includes(account)) return 'moderator';
    if (record?.status !== 'member') return 'none';
    return record.is_moderator ? 'moderator' : 'member';
  }

  /** Returns the members in the order they joined. */
  async members(): Promise<string[]> {
    const rows = await currentMembers.query(this.client, { conversationId: this.id });
    return rows.map(({ account }) => account);
  }

  /** Reads the conversation for an event, with the changes of this transaction; see `readConversation`. */
  async read(account: string): Promise<Conversation> {
    return readConversation(this.client, this.id, account);
  }

  /** Gives it another name. */
  async rename(name: string): Promise<void> {
    await renameConversation.execute(this.client, { id: this.id, name });
  }

  /**
   * Makes the account a member. Earlier messages do not count as unread.
   * @returns whether this begins a subscription: not if the account already follows the channel
   */
  async add(account: string): Promise<boolean> {
    const added = await addMember.find(this.client, { conversationId: this.id, account });
    return added?.begins_subscription === true;
  }

  /**
   * Removes an account. From a channel this is a ban: the account cannot join again by writing.
   * @returns whether it was subscribed
   */
  async remove(account: string): Promise<boolean> {
    return this.endMembership(account, { status: this.type === 'channel' ? 'banned' : 'left', isVoluntary: false });
  }

  /**
   * Ends the membership of an account that leaves. If it is the creator, a member succeeds (`appointSuccessor`), unless
   * none is left.
   */
  async leave(account: string): Promise<void> {
    await this.endMembership(account, { status: 'left', isVoluntary: true });
    if (account !== this.creator) return;
    await appointSuccessor.execute(this.client, { id: this.id });
  }

  /** Ends the subscription of a follower. */
  async unfollow(account: string): Promise<void> {
    await unfollowChannel.execute(this.client, { conversationId: this.id, account });
  }

  /** Hides a dm from one of its accounts until the next message, and deletes its draft. */
  async hideFrom(account: string): Promise<void> {
    await hideDm.execute(this.client, { conversationId: this.id, account });
    await deleteDraft.execute(this.client, { conversationId: this.id, account });
  }

  /** Shows a dm again to the accounts that left it. @returns these accounts */
  async show(): Promise<string[]> {
    const rows = await showDm.query(this.client, { conversationId: this.id });
    return rows.map(({ account }) => account);
  }

  /** Appoints a member as a moderator, or dismisses it. */
  async setModerator(account: string, isModerator: boolean): Promise<void> {
    await setModerator.execute(this.client, { conversationId: this.id, account, isModerator });
  }

  /** Changes the preferences of an account, as far as they are given. @returns all of them, and whether any changed */
  async setPreferences(
    account: string,
    { muted = null, favourite = null }: { muted?: boolean | null | undefined; favourite?: boolean | null | undefined },
  ): Promise<RowIn<typeof setPreferences>> {
    const set = await setPreferences.find(this.client, { conversationId: this.id, account, muted, favourite });
    if (set === undefined) throw new Error('an upsert returned no row');
    return set;
  }

  private async endMembership(
    account: string,
    how: { status: 'left' | 'banned'; isVoluntary: boolean },
  ): Promise<boolean> {
    const ended = await endMembership.find(this.client, { conversationId: this.id, account, ...how });
    // A statement of its own, which sees the draft of a transaction for which the former waited.
    await deleteDraft.execute(this.client, { conversationId: this.id, account });
    return ended?.was_subscribed === true;
  }
}
