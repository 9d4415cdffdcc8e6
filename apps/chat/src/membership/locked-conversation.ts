import { conversationType, type Conversation, type ConversationType } from '@waggle/contracts';
import { type RowIn } from '@waggle/service';
import { type ClientBase } from 'pg';
import { readConversation } from './conversation-rows';
import { ChatError } from '../errors';
import { authorizeAdditions } from '../relations/additions';
import { type LockedPair } from '../relations/locked-pair';
import {
  addMember,
  appointSuccessor,
  currentMembers,
  deleteMessage,
  endMembership,
  hideDm,
  lockConversation,
  memberOfConversation,
  renameConversation,
  senderOfMessage,
  setModerator,
  showDm,
  unfollowChannel,
} from './locked-conversation.statements';
import { type Role } from './role';

/** What the row of a conversation says of itself. */
interface LockedRow {
  id: string;
  type: ConversationType;
  creator: string;
}

/**
 * A conversation whose row this transaction has locked: until it ends nobody else changes members, roles or name, and no
 * message is added.
 */
export class LockedConversation {
  private constructor(
    private readonly client: ClientBase,
    private readonly row: LockedRow,
    private readonly admins: readonly string[],
  ) {}

  /**
   * Locks the conversation until the client's transaction ends; undefined where there is none.
   * @param admins who moderates every channel
   */
  static async lock(
    client: ClientBase,
    id: string,
    admins: readonly string[],
  ): Promise<LockedConversation | undefined> {
    const row = await lockConversation.find(client, { id });
    return row && new LockedConversation(client, { ...row, type: conversationType.parse(row.type) }, admins);
  }

  get id(): string {
    return this.row.id;
  }

  get type(): ConversationType {
    return this.row.type;
  }

  get creator(): string {
    return this.row.creator;
  }

  /** What the account is here. The creator of a channel is so though no longer a member. */
  async roleOf(account: string): Promise<Role> {
    const row = await this.find(account);
    if (account === this.row.creator && (row?.status === 'member' || this.type === 'channel')) return 'creator';
    if (this.type === 'channel' && this.admins.includes(account)) return 'moderator';
    if (row?.status !== 'member') return 'none';
    return row.is_moderator ? 'moderator' : 'member';
  }

  /** Whether the account has been appointed, as an admin has not. */
  async isAppointed(account: string): Promise<boolean> {
    return (await this.find(account))?.is_moderator === true;
  }

  async isBanned(account: string): Promise<boolean> {
    return (await this.find(account))?.status === 'banned';
  }

  /**
   * Checks whether the adder may add another account, the other one of the pair. Only a friend may add one that has left, so that
   * leaving is final; a moderator who removes it afterwards does not change that.
   * @throws ServiceError `blocked`, `friends-only`; `forbidden` if the account has left
   */
  async authorizeAddition(account: string, adder: string, pair: LockedPair): Promise<void> {
    await authorizeAdditions(this.client, adder, [account]);
    if ((await this.find(account))?.has_left === true && !(await pair.areFriends())) {
      throw new ChatError('forbidden', `${account} has left; only a friend may add them again`);
    }
  }

  /** Tells whether the account is delivered what happens here: as a member, or as a follower of the channel. */
  async isSubscribed(account: string): Promise<boolean> {
    return (await this.find(account))?.is_subscribed === true;
  }

  async isMember(account: string): Promise<boolean> {
    return (await this.find(account))?.status === 'member';
  }

  /** In the order in which they joined. */
  async members(): Promise<string[]> {
    const rows = await currentMembers.query(this.client, { conversationId: this.id });
    return rows.map(({ account }) => account);
  }

  /** Reads the conversation with the changes of this transaction, for an event; see `readConversation`. */
  async read(account: string): Promise<Conversation> {
    return readConversation(this.client, this.id, account);
  }

  async rename(name: string): Promise<void> {
    await renameConversation.execute(this.client, { id: this.id, name });
  }

  /**
   * Makes a member, who has nothing to catch up on: what was written before one came is not news.
   * @returns whether the account hears the stream from the next place on; who follows it has heard it all the time
   */
  async add(account: string): Promise<boolean> {
    return (await addMember.find(this.client, { conversationId: this.id, account }))?.is_new === true;
  }

  /** Takes a member out of a group for good, and of a channel so that writing does not make one a member again. */
  async remove(account: string): Promise<void> {
    await this.end(account, this.type === 'channel' ? 'banned' : 'left', false);
  }

  /**
   * Takes out a member who leaves. A creator is followed by the longest-standing moderator, else the longest-standing
   * member; where nobody is left it stays as it is.
   */
  async leave(account: string): Promise<void> {
    await this.end(account, 'left', true);
    if (account !== this.creator) return;
    await appointSuccessor.execute(this.client, { id: this.id });
  }

  /** Ends that the account hears a channel without being a member. */
  async unfollow(account: string): Promise<void> {
    await unfollowChannel.execute(this.client, { conversationId: this.id, account });
  }

  /** Hides a dm from one of its two until there is a later message. */
  async hideFrom(account: string): Promise<void> {
    await hideDm.execute(this.client, { conversationId: this.id, account });
  }

  /** Shows a dm to whoever had left it. @returns those who find it again */
  async show(): Promise<string[]> {
    const rows = await showDm.query(this.client, { conversationId: this.id });
    return rows.map(({ account }) => account);
  }

  async setModerator(account: string, isModerator: boolean): Promise<void> {
    await setModerator.execute(this.client, { conversationId: this.id, account, isModerator });
  }

  /** Who wrote a message of this conversation; undefined where it is not there or has been deleted. */
  async findSender(messageId: string): Promise<string | undefined> {
    return (await senderOfMessage.find(this.client, { messageId, conversationId: this.id }))?.sender;
  }

  /** Leaves a tombstone. */
  async deleteMessage(messageId: string): Promise<void> {
    await deleteMessage.execute(this.client, { messageId, conversationId: this.id });
  }

  private async end(account: string, status: 'left' | 'banned', isVoluntary: boolean): Promise<void> {
    await endMembership.execute(this.client, { conversationId: this.id, account, status, isVoluntary });
  }

  private find(account: string): Promise<RowIn<typeof memberOfConversation> | undefined> {
    return memberOfConversation.find(this.client, { conversationId: this.id, account });
  }
}
