import { conversationType, type Conversation, type ConversationType } from '@waggle/contracts';
import { type RowIn, sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { readConversation } from './conversation-rows';
import { deleteMessage, findSender } from '../log/message-deletion';
import { type Role } from './role';

const memberParameters = { conversationId: sql.text, account: sql.text };

const isSubscribed = `(member.status = 'member' OR (member.status = 'reader' AND member.followed_at IS NOT NULL))`;

/** Whether an account that is not a member has left by itself. Rows without a record of that count as such unless banned. */
const hasLeft = `coalesce(member.left_voluntarily, member.left_seq IS NOT NULL AND member.status <> 'banned')`;

/**
 * Ends the subscription of a follower of a locked channel: the next entry is the last one that it is delivered. That a follower has
 * left does not count as leaving a membership.
 */
export const endsFollowing = `
  followed_at = NULL, left_at = clock_timestamp(), left_voluntarily = ${hasLeft},
  left_seq = (SELECT last_seq + 1 FROM conversation WHERE id = member.conversation_id)`;

const lockConversation = new Statement({
  name: 'lock-conversation',
  text: 'SELECT id, type, creator FROM conversation WHERE id = $1 FOR NO KEY UPDATE',
  parameters: { id: sql.text },
  columns: { id: sql.text, type: sql.text, creator: sql.text },
});

const memberOfConversation = new Statement({
  name: 'member-of-conversation',
  text: `
    SELECT status, made_moderator IS NOT NULL AS is_moderator, ${hasLeft} AS has_left, ${isSubscribed} AS is_subscribed
    FROM member
    WHERE conversation_id = $1 AND account = $2`,
  parameters: memberParameters,
  columns: {
    status: sql.text,
    is_moderator: sql.notNull(sql.bool),
    has_left: sql.notNull(sql.bool),
    is_subscribed: sql.notNull(sql.bool),
  },
});

const currentMembers = new Statement({
  name: 'current-members',
  text: `SELECT account FROM member WHERE conversation_id = $1 AND status = 'member' ORDER BY joined`,
  parameters: { conversationId: sql.text },
  columns: { account: sql.text },
});

const renameConversation = new Statement({
  name: 'rename-conversation',
  text: 'UPDATE conversation SET name = $2 WHERE id = $1',
  parameters: { id: sql.text, name: sql.text },
  columns: {},
});

const addMember = new Statement({
  name: 'add-member',
  text: `
    INSERT INTO member (conversation_id, account, acknowledged_seq, joined_seq)
    SELECT id, $2, last_seq, last_seq FROM conversation WHERE id = $1
    ON CONFLICT (conversation_id, account) DO UPDATE
      SET status = 'member', joined = excluded.joined, acknowledged_seq = excluded.acknowledged_seq,
          joined_seq = CASE WHEN member.status = 'reader' AND member.followed_at IS NOT NULL
                            THEN member.joined_seq ELSE excluded.joined_seq END,
          left_seq = NULL, left_voluntarily = NULL, followed_at = NULL
    RETURNING joined_seq = (SELECT last_seq FROM conversation WHERE id = $1) AS is_new`,
  parameters: memberParameters,
  columns: { is_new: sql.notNull(sql.bool) },
});

/** Ends the membership and the subscription. The next entry is the last one that the account is delivered, if it was subscribed. */
const endMembership = new Statement({
  name: 'end-membership',
  text: `
    INSERT INTO member (conversation_id, account, status, left_voluntarily) VALUES ($1, $2, $3, $4)
    ON CONFLICT (conversation_id, account) DO UPDATE
      SET status = excluded.status, made_moderator = NULL, followed_at = NULL,
          left_seq = CASE WHEN ${isSubscribed} THEN (SELECT last_seq + 1 FROM conversation WHERE id = $1) ELSE member.left_seq END,
          left_at = CASE WHEN ${isSubscribed} THEN clock_timestamp() ELSE member.left_at END,
          left_voluntarily = CASE member.status WHEN 'member' THEN excluded.left_voluntarily ELSE ${hasLeft} END
    -- An earlier left_seq is smaller.
    RETURNING coalesce(left_seq > (SELECT last_seq FROM conversation WHERE id = $1), false) AS was_subscribed`,
  parameters: { ...memberParameters, status: sql.text, isVoluntary: sql.bool },
  columns: { was_subscribed: sql.notNull(sql.bool) },
});

/** Makes the moderator who was appointed first the creator, or the member who joined first if there is none. */
const appointSuccessor = new Statement({
  name: 'appoint-successor',
  text: `
    UPDATE conversation SET creator = successor.account
    FROM (SELECT coalesce(
            (SELECT account FROM member WHERE conversation_id = $1 AND status = 'member' AND made_moderator IS NOT NULL
             ORDER BY made_moderator LIMIT 1),
            (SELECT account FROM member WHERE conversation_id = $1 AND status = 'member' ORDER BY joined LIMIT 1)
          ) AS account) successor
    WHERE id = $1 AND successor.account IS NOT NULL`,
  parameters: { id: sql.text },
  columns: {},
});

const unfollowChannel = new Statement({
  name: 'unfollow-channel',
  text: `UPDATE member SET ${endsFollowing} WHERE conversation_id = $1 AND account = $2`,
  parameters: memberParameters,
  columns: {},
});

const hideDm = new Statement({
  name: 'hide-dm',
  text: 'UPDATE member SET hidden = true WHERE conversation_id = $1 AND account = $2',
  parameters: memberParameters,
  columns: {},
});

const showDm = new Statement({
  name: 'show-dm',
  text: 'UPDATE member SET hidden = false WHERE conversation_id = $1 AND hidden RETURNING account',
  parameters: { conversationId: sql.text },
  columns: { account: sql.text },
});

const setModerator = new Statement({
  name: 'set-moderator',
  text: `
    UPDATE member SET made_moderator = CASE WHEN $3 THEN nextval('member_order') END
    WHERE conversation_id = $1 AND account = $2`,
  parameters: { ...memberParameters, isModerator: sql.bool },
  columns: {},
});

/** The columns that the lock reads. */
interface LockedRow {
  id: string;
  type: ConversationType;
  creator: string;
}

/**
 * A conversation whose row is locked by a transaction: until that ends, no other transaction changes its members, roles or name, or adds
 * a message.
 */
export class LockedConversation {
  /** @param client runs the transaction that holds the lock */
  private constructor(
    readonly client: ClientBase,
    private readonly row: LockedRow,
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

  /** Returns the role of the account. The creator of a channel keeps the role after leaving it, if no member succeeds. */
  async roleOf(account: string): Promise<Role> {
    const row = await this.find(account);
    if (account === this.row.creator && (row?.status === 'member' || this.type === 'channel')) return 'creator';
    if (this.type === 'channel' && this.admins.includes(account)) return 'moderator';
    if (row?.status !== 'member') return 'none';
    return row.is_moderator ? 'moderator' : 'member';
  }

  /** Tells whether the account is an appointed moderator, which an admin need not be. */
  async isAppointed(account: string): Promise<boolean> {
    return (await this.find(account))?.is_moderator === true;
  }

  async isBanned(account: string): Promise<boolean> {
    return (await this.find(account))?.status === 'banned';
  }

  /** Tells whether the account has left, also if a moderator has removed it afterwards. */
  async hasLeft(account: string): Promise<boolean> {
    return (await this.find(account))?.has_left === true;
  }

  /** Tells whether the account is delivered what happens here: as a member, or as a follower of the channel. */
  async isSubscribed(account: string): Promise<boolean> {
    return (await this.find(account))?.is_subscribed === true;
  }

  async isMember(account: string): Promise<boolean> {
    return (await this.find(account))?.status === 'member';
  }

  /** Returns the members in the order in which they joined. */
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
   * Makes the account a member. Earlier messages do not count as unread.
   * @returns whether its subscription begins with the next entry; that of a follower has begun before
   */
  async add(account: string): Promise<boolean> {
    return (await addMember.find(this.client, { conversationId: this.id, account }))?.is_new === true;
  }

  /** Removes an account. It is banned from a channel, so that it cannot join again by writing. @returns whether it was subscribed */
  async remove(account: string): Promise<boolean> {
    return this.end(account, this.type === 'channel' ? 'banned' : 'left', false);
  }

  /**
   * Ends the membership of an account that leaves. A creator is succeeded by the moderator who was appointed first, or the member who
   * joined first if there is none. If the last member leaves, the creator does not change.
   */
  async leave(account: string): Promise<void> {
    await this.end(account, 'left', true);
    if (account !== this.creator) return;
    await appointSuccessor.execute(this.client, { id: this.id });
  }

  /** Ends the subscription of a follower. */
  async unfollow(account: string): Promise<void> {
    await unfollowChannel.execute(this.client, { conversationId: this.id, account });
  }

  /** Hides a dm from one of its accounts until the next message. */
  async hideFrom(account: string): Promise<void> {
    await hideDm.execute(this.client, { conversationId: this.id, account });
  }

  /** Shows a dm again to the accounts that have left it. @returns these accounts */
  async show(): Promise<string[]> {
    const rows = await showDm.query(this.client, { conversationId: this.id });
    return rows.map(({ account }) => account);
  }

  async setModerator(account: string, isModerator: boolean): Promise<void> {
    await setModerator.execute(this.client, { conversationId: this.id, account, isModerator });
  }

  /** Returns the sender of a message of this conversation; undefined if it does not exist or is deleted. */
  findSender(messageId: string): Promise<string | undefined> {
    return findSender(this.client, { messageId, conversationId: this.id });
  }

  /** Leaves a tombstone. */
  deleteMessage(messageId: string): Promise<void> {
    return deleteMessage(this.client, { messageId, conversationId: this.id });
  }

  private async end(account: string, status: 'left' | 'banned', isVoluntary: boolean): Promise<boolean> {
    const ended = await endMembership.find(this.client, { conversationId: this.id, account, status, isVoluntary });
    return ended?.was_subscribed === true;
  }

  private find(account: string): Promise<RowIn<typeof memberOfConversation> | undefined> {
    return memberOfConversation.find(this.client, { conversationId: this.id, account });
  }
}
