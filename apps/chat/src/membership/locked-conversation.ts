import { type Conversation, type ConversationType } from '@waggle/contracts';
import { type ClientBase } from 'pg';
import { readConversation } from '../conversations/conversation-rows';
import { ChatError } from '../errors';
import { authorizeAdditions } from '../relations/additions';
import { type LockedPair } from '../relations/locked-pair';
import { type Role } from './role';

/** What the row of a conversation says of itself. */
interface LockedRow {
  id: string;
  type: ConversationType;
  creator: string;
}

interface MemberRow {
  standing: 'member' | 'reader' | 'kept-out' | 'former';
  is_moderator: boolean;
  has_left: boolean;
  is_follower: boolean;
}

/** Whether an account that is no member left of its own accord. Without a record of that, all have left but those who are kept out. */
const hasLeft = `coalesce(member.left_voluntarily, member.left_seq IS NOT NULL AND member.standing <> 'kept-out')`;

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
    const { rows } = await client.query<LockedRow>({
      name: 'lock-conversation',
      text: 'SELECT id, type, creator FROM conversation WHERE id = $1 FOR NO KEY UPDATE',
      values: [id],
    });
    return rows[0] === undefined ? undefined : new LockedConversation(client, rows[0], admins);
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
    if (account === this.row.creator && (row?.standing === 'member' || this.type === 'channel')) return 'creator';
    if (this.type === 'channel' && this.admins.includes(account)) return 'moderator';
    if (row?.standing !== 'member') return 'none';
    return row.is_moderator ? 'moderator' : 'member';
  }

  /** Whether the account has been appointed, as an admin has not. */
  async isAppointed(account: string): Promise<boolean> {
    return (await this.find(account))?.is_moderator === true;
  }

  async isKeptOut(account: string): Promise<boolean> {
    return (await this.find(account))?.standing === 'kept-out';
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

  /** Whether the account follows the channel without being a member. */
  async isFollower(account: string): Promise<boolean> {
    return (await this.find(account))?.is_follower === true;
  }

  async isMember(account: string): Promise<boolean> {
    return (await this.find(account))?.standing === 'member';
  }

  /** In the order in which they joined. */
  async members(): Promise<string[]> {
    const { rows } = await this.client.query<{ account: string }>(
      `SELECT account FROM member WHERE conversation_id = $1 AND standing = 'member' ORDER BY joined`,
      [this.id],
    );
    return rows.map(({ account }) => account);
  }

  /** Reads the conversation with the changes of this transaction, for an event; see `readConversation`. */
  async read(account: string): Promise<Conversation> {
    return readConversation(this.client, this.id, account);
  }

  async rename(name: string): Promise<void> {
    await this.client.query('UPDATE conversation SET name = $2 WHERE id = $1', [this.id, name]);
  }

  /**
   * Makes a member, who has nothing to catch up on: what was written before one came is not news.
   * @returns whether the account hears the stream from the next place on; who follows it has heard it all the time
   */
  async add(account: string): Promise<boolean> {
    const { rows } = await this.client.query<{ is_new: boolean }>(
      `INSERT INTO member (conversation_id, account, acknowledged_seq, joined_seq)
       SELECT id, $2, last_seq, last_seq FROM conversation WHERE id = $1
       ON CONFLICT (conversation_id, account) DO UPDATE
         SET standing = 'member', joined = excluded.joined, acknowledged_seq = excluded.acknowledged_seq,
             joined_seq = CASE WHEN member.standing = 'reader' AND member.followed_at IS NOT NULL
                               THEN member.joined_seq ELSE excluded.joined_seq END,
             left_seq = NULL, left_voluntarily = NULL, followed_at = NULL
       RETURNING joined_seq = (SELECT last_seq FROM conversation WHERE id = $1) AS is_new`,
      [this.id, account],
    );
    return rows[0]?.is_new === true;
  }

  /** Takes a member out of a group for good, and of a channel so that writing does not make one a member again. */
  async remove(account: string): Promise<void> {
    await this.end(account, this.type === 'channel' ? 'kept-out' : 'former', false);
  }

  /**
   * Takes out a member who leaves. A creator is followed by the longest-standing moderator, else the longest-standing
   * member; where nobody is left it stays as it is.
   */
  async leave(account: string): Promise<void> {
    await this.end(account, 'former', true);
    if (account !== this.creator) return;
    await this.client.query(
      `UPDATE conversation SET creator = successor.account
       FROM (SELECT coalesce(
               (SELECT account FROM member WHERE conversation_id = $1 AND standing = 'member' AND made_moderator IS NOT NULL
                ORDER BY made_moderator LIMIT 1),
               (SELECT account FROM member WHERE conversation_id = $1 AND standing = 'member' ORDER BY joined LIMIT 1)
             ) AS account) successor
       WHERE id = $1 AND successor.account IS NOT NULL`,
      [this.id],
    );
  }

  /** Ends that the account hears a channel without being a member. */
  async unfollow(account: string): Promise<void> {
    await this.client.query('UPDATE member SET followed_at = NULL WHERE conversation_id = $1 AND account = $2', [
      this.id,
      account,
    ]);
  }

  /** Hides a dm from one of its two until there is a later message. */
  async hideFrom(account: string): Promise<void> {
    await this.client.query('UPDATE member SET hidden = true WHERE conversation_id = $1 AND account = $2', [
      this.id,
      account,
    ]);
  }

  /** Shows a dm to whoever had left it. @returns those who find it again */
  async show(): Promise<string[]> {
    const { rows } = await this.client.query<{ account: string }>(
      'UPDATE member SET hidden = false WHERE conversation_id = $1 AND hidden RETURNING account',
      [this.id],
    );
    return rows.map(({ account }) => account);
  }

  async setModerator(account: string, isModerator: boolean): Promise<void> {
    await this.client.query(
      `UPDATE member SET made_moderator = CASE WHEN $3 THEN nextval('member_order') END
       WHERE conversation_id = $1 AND account = $2`,
      [this.id, account, isModerator],
    );
  }

  /** Who wrote a message of this conversation; undefined where it is not there or has been deleted. */
  async findSender(messageId: string): Promise<string | undefined> {
    const { rows } = await this.client.query<{ sender: string }>(
      'SELECT sender FROM message WHERE id = $1 AND conversation_id = $2 AND deleted_at IS NULL',
      [messageId, this.id],
    );
    return rows[0]?.sender;
  }

  /** Leaves a tombstone. */
  async deleteMessage(messageId: string): Promise<void> {
    await this.client.query('UPDATE message SET deleted_at = now() WHERE id = $1 AND conversation_id = $2', [
      messageId,
      this.id,
    ]);
  }

  /** From the next place on the account does not hear the stream. Who only followed a channel has had no row, or one. */
  private async end(account: string, standing: 'former' | 'kept-out', voluntarily: boolean): Promise<void> {
    await this.client.query(
      `INSERT INTO member (conversation_id, account, standing, left_seq, left_at, left_voluntarily)
       SELECT id, $2, $3, last_seq + 1, clock_timestamp(), $4 FROM conversation WHERE id = $1
       ON CONFLICT (conversation_id, account) DO UPDATE
         SET standing = excluded.standing, made_moderator = NULL, followed_at = NULL,
             left_seq = excluded.left_seq, left_at = excluded.left_at,
             left_voluntarily = CASE member.standing WHEN 'member' THEN excluded.left_voluntarily ELSE ${hasLeft} END`,
      [this.id, account, standing, voluntarily],
    );
  }

  private async find(account: string): Promise<MemberRow | undefined> {
    const { rows } = await this.client.query<MemberRow>({
      name: 'member-of-conversation',
      text: `SELECT standing, made_moderator IS NOT NULL AS is_moderator, ${hasLeft} AS has_left,
                    standing = 'reader' AND followed_at IS NOT NULL AS is_follower
             FROM member
             WHERE conversation_id = $1 AND account = $2`,
      values: [this.id, account],
    });
    return rows[0];
  }
}
