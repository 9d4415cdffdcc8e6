import { type Queryable, sql, Statement } from '@waggle/service';
import { subscribedCondition } from '../log/log.store';
import { memberTable } from '../log/member.entity';

/** A request of an account to mark a conversation as read. */
export interface Acknowledgment {
  conversationId: string;
  account: string;
  /**
   * How far the conversation was delivered to a subscriber, as a sequence number. Null acknowledges everything that is
   * stored, since the client may know it from REST.
   */
  deliveredSeq: number | null;
}

/** How far an account has read a conversation. */
export interface ReadPosition extends Omit<Acknowledgment, 'deliveredSeq'> {
  /** Everything up to this sequence number is read. */
  seq: number;
  /**
   * The other account of a direct conversation, which gets a read receipt. Null if one blocks the other, and in other
   * conversations.
   */
  receiptRecipient: string | null;
}

const acknowledge = new Statement({
  name: 'acknowledge',
  text: `
    WITH acknowledged AS (
      INSERT INTO member (conversation_id, account, status, acknowledged_seq, receipt_seq, acknowledged_at)
      SELECT c.id, a.account COLLATE "C", 'reader', max(read.seq), max(CASE WHEN c.blocked THEN 0 ELSE read.seq END), now()
      FROM unnest($1::text[], $2::text[], $3::bigint[]) AS a (conversation_id, account, delivered_seq)
      JOIN conversation c ON c.id = a.conversation_id
      LEFT JOIN member ON member.conversation_id = c.id AND member.account = a.account
      -- A subscriber knows from REST what precedes its subscription.
      CROSS JOIN LATERAL (
        SELECT CASE WHEN a.delivered_seq IS NOT NULL AND ${subscribedCondition}
                 THEN least(c.last_seq, greatest(a.delivered_seq, member.joined_seq)) ELSE c.last_seq END AS seq
      ) read
      WHERE c.type = 'channel' OR member.status = 'member'
      GROUP BY c.id, a.account COLLATE "C"
      -- In the order of storeWithChanges and show-dm, so that statements that lock several of these rows do not deadlock.
      ORDER BY c.id, a.account COLLATE "C"
      ON CONFLICT (conversation_id, account) DO UPDATE
        SET acknowledged_seq = greatest(member.acknowledged_seq, excluded.acknowledged_seq),
            receipt_seq = greatest(member.receipt_seq, excluded.receipt_seq),
            acknowledged_at = excluded.acknowledged_at
      RETURNING conversation_id, account, acknowledged_seq
    )
    SELECT a.conversation_id, a.account, a.acknowledged_seq AS seq,
           CASE WHEN NOT c.blocked THEN CASE a.account WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END END AS receipt_recipient
    FROM acknowledged a JOIN conversation c ON c.id = a.conversation_id`,
  parameters: {
    conversationIds: sql.arrayOf(memberTable.conversationId),
    accounts: sql.arrayOf(memberTable.account),
    deliveredSeqs: sql.arrayOf(sql.nullable(memberTable.acknowledgedSeq)),
  },
  columns: {
    conversation_id: sql.notNull(memberTable.conversationId),
    account: sql.notNull(memberTable.account),
    seq: sql.notNull(memberTable.acknowledgedSeq),
    receipt_recipient: sql.nullable(memberTable.account),
  },
});

/**
 * Marks each conversation as read by an account, which need not be a member of a channel.
 * @returns the positions in the conversations that the account may read
 */
export async function storeAcknowledgments(
  client: Queryable,
  acknowledgments: readonly Acknowledgment[],
): Promise<ReadPosition[]> {
  if (acknowledgments.length === 0) return [];
  const rows = await acknowledge.query(client, {
    conversationIds: acknowledgments.map(({ conversationId }) => conversationId),
    accounts: acknowledgments.map(({ account }) => account),
    deliveredSeqs: acknowledgments.map(({ deliveredSeq }) => deliveredSeq),
  });
  return rows.map((row) => ({
    conversationId: row.conversation_id,
    account: row.account,
    seq: Number(row.seq),
    receiptRecipient: row.receipt_recipient,
  }));
}
