import { type Queryable, type RowOf, sql, Statement } from '@waggle/service';
import { conversationTable } from '../log/conversation.entity';
import { subscribedCondition } from '../log/subscription-ranges';
import { memberTable } from '../log/member.entity';
import { messageTable } from '../log/message.entity';
import { joinMentionCount, joinReadState, mentionCountColumn, readStateColumns } from '../log/read-state';

/** A request of an account to mark a conversation as read. */
export interface Acknowledgment {
  conversationId: string;
  account: string;
  /**
   * The last sequence number that was delivered to the connection. Null marks all stored messages as read: the client
   * may have fetched them over REST.
   */
  deliveredSeq: number | null;
  /** Marks messages up to this sequence number as read, delivered or not; null if the client names none. */
  upToSeq: number | null;
}

/** How far an account has read a conversation. */
export interface ReadPosition {
  conversationId: string;
  account: string;
  /** Everything up to this sequence number is read. */
  acknowledgedSeq: number;
  /** The last sequence number of the conversation. */
  lastSeq: number;
  /** The sequence number before the first unread message of others: `acknowledgedSeq`, or later. */
  readSeq: number;
  /** Number of messages of others up to `lastSeq` that are unread. */
  unreadCount: number;
  /** Number of mentions of the account, up to `lastSeq`, that are unread. */
  mentionCount: number;
}

/** A position after an acknowledgment, which others may see as a receipt. */
export interface AcknowledgedPosition extends ReadPosition {
  /**
   * The account that gets the read receipt: the other one of a dm. Null in groups and channels, and while one blocks
   * the other.
   */
  receiptRecipient: string | null;
  /** How far others see that the account has read: `acknowledgedSeq`, but it never moves back. */
  receiptSeq: number;
  /** Whether the conversation is a group, and this acknowledgment advanced `receiptSeq`, which its members may see. */
  advancesGroupReceipt: boolean;
}

/** The columns of a `ReadPosition`. */
const positionColumns = {
  conversation_id: sql.notNull(memberTable.conversationId),
  account: sql.notNull(memberTable.account),
  acknowledged_seq: sql.notNull(memberTable.acknowledgedSeq),
  last_seq: sql.notNull(conversationTable.lastSeq),
  ...readStateColumns,
  ...mentionCountColumn,
};

/**
 * Marks conversations as read. Each account may acknowledge several conversations, and one conversation repeatedly.
 * Returns one row for each conversation and account: the position afterwards, and who sees its receipt. Conversations
 * that the account may not read have no row.
 */
const acknowledge = new Statement({
  name: 'acknowledge',
  text: `
    WITH acknowledged AS (
      INSERT INTO member (conversation_id, account, status, acknowledged_seq, receipt_seq, acknowledged_at)
      SELECT c.id, request.account COLLATE "C", 'reader', max(read_up_to.seq),
             -- 0 leaves the receipt as it is: none is sent while one account blocks the other.
             max(CASE WHEN c.blocked THEN 0 ELSE read_up_to.seq END), now()
      FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS request (conversation_id, account, delivered_seq, up_to)
      JOIN conversation c ON c.id = request.conversation_id
      LEFT JOIN member ON member.conversation_id = c.id AND member.account = request.account
      -- Without up_to, a subscriber has read what was delivered to it, and at least everything before it joined. Others
      -- have read everything.
      CROSS JOIN LATERAL (
        SELECT least(c.last_seq, CASE
          WHEN request.up_to IS NOT NULL THEN request.up_to
          WHEN request.delivered_seq IS NOT NULL AND ${subscribedCondition}
            THEN greatest(request.delivered_seq, member.joined_seq)
          ELSE c.last_seq
        END) AS seq
      ) read_up_to
      WHERE c.type = 'channel' OR member.status = 'member'
      -- A batch may have several acknowledgments of one account.
      GROUP BY c.id, request.account COLLATE "C"
      -- Locks rows in the same order as storeWithChanges and showDm, so that they do not deadlock.
      ORDER BY c.id, request.account COLLATE "C"
      ON CONFLICT (conversation_id, account) DO UPDATE
        SET acknowledged_seq = greatest(member.acknowledged_seq, excluded.acknowledged_seq),
            receipt_seq = greatest(member.receipt_seq, excluded.receipt_seq),
            acknowledged_at = excluded.acknowledged_at
      RETURNING conversation_id, account, status, acknowledged_seq, receipt_seq
    )
    SELECT acknowledged.conversation_id, acknowledged.account, acknowledged.acknowledged_seq, acknowledged.receipt_seq,
           c.last_seq, read_state.*, mention_state.*,
           -- Null for groups and channels, whose dm_first is null.
           CASE
             WHEN c.blocked THEN NULL
             WHEN acknowledged.account = c.dm_first THEN c.dm_second
             ELSE c.dm_first
           END AS receipt_recipient,
           -- The subquery sees the row as it was before.
           c.type = 'group' AND acknowledged.receipt_seq > coalesce((
             SELECT receipt_seq FROM member
             WHERE conversation_id = acknowledged.conversation_id AND account = acknowledged.account
           ), 0) AS advances_group_receipt
    FROM acknowledged JOIN conversation c ON c.id = acknowledged.conversation_id
    ${joinReadState('acknowledged', 'c.last_seq')}
    ${joinMentionCount('acknowledged', 'acknowledged.account', 'c.id', 'c.last_seq')}`,
  parameters: {
    conversationIds: sql.arrayOf(memberTable.conversationId),
    accounts: sql.arrayOf(memberTable.account),
    deliveredSeqs: sql.arrayOf(sql.nullable(memberTable.acknowledgedSeq)),
    upToSeqs: sql.arrayOf(sql.nullable(memberTable.acknowledgedSeq)),
  },
  columns: {
    ...positionColumns,
    receipt_recipient: sql.nullable(memberTable.account),
    receipt_seq: sql.notNull(memberTable.receiptSeq),
    advances_group_receipt: sql.notNull(sql.bool),
  },
});

/**
 * Moves the position of a member back before a message. `receipt_seq` stays: others have seen that the account had read
 * the message. Returns the position afterwards; no row if the account is no member or the message does not exist.
 */
const markUnread = new Statement({
  name: 'mark-unread',
  text: `
    WITH moved AS (
      UPDATE member SET acknowledged_seq = least(member.acknowledged_seq, message.seq - 1), acknowledged_at = now()
      FROM (
        SELECT seq FROM message WHERE conversation_id = $1 AND id = $2 AND deleted_at IS NULL LIMIT 1
      ) message
      WHERE member.conversation_id = $1 AND member.account = $3 AND member.status = 'member'
      RETURNING member.conversation_id, member.account, member.status, member.acknowledged_seq
    )
    SELECT moved.conversation_id, moved.account, moved.acknowledged_seq, c.last_seq, read_state.*, mention_state.*
    FROM moved JOIN conversation c ON c.id = moved.conversation_id
    ${joinReadState('moved', 'c.last_seq')}
    ${joinMentionCount('moved', 'moved.account', 'c.id', 'c.last_seq')}`,
  parameters: { conversationId: messageTable.conversationId, id: messageTable.id, account: memberTable.account },
  columns: positionColumns,
});

/**
 * Marks a message and all later ones as unread for a member.
 * @returns the new position; undefined if the message does not exist, or the account is no member
 */
export async function storeUnread(
  client: Queryable,
  unread: { conversationId: string; id: string; account: string },
): Promise<ReadPosition | undefined> {
  const row = await markUnread.find(client, unread);
  return row && toReadPosition(row);
}

/**
 * Marks conversations as read: channels by any account, groups and dms only by members.
 * @returns the new positions, without conversations that the account may not read
 */
export async function storeAcknowledgments(
  client: Queryable,
  acknowledgments: readonly Acknowledgment[],
): Promise<AcknowledgedPosition[]> {
  if (acknowledgments.length === 0) return [];
  const rows = await acknowledge.query(client, {
    conversationIds: acknowledgments.map(({ conversationId }) => conversationId),
    accounts: acknowledgments.map(({ account }) => account),
    deliveredSeqs: acknowledgments.map(({ deliveredSeq }) => deliveredSeq),
    upToSeqs: acknowledgments.map(({ upToSeq }) => upToSeq),
  });
  return rows.map((row) => ({
    ...toReadPosition(row),
    receiptRecipient: row.receipt_recipient,
    receiptSeq: Number(row.receipt_seq),
    advancesGroupReceipt: row.advances_group_receipt,
  }));
}

function toReadPosition(row: RowOf<typeof positionColumns>): ReadPosition {
  return {
    conversationId: row.conversation_id,
    account: row.account,
    acknowledgedSeq: Number(row.acknowledged_seq),
    lastSeq: Number(row.last_seq),
    readSeq: Number(row.read_seq),
    unreadCount: row.unread_count,
    mentionCount: row.mention_count,
  };
}
