import { type Queryable, sql, Statement } from '@waggle/service';

/** A request of an account to mark everything in a conversation as read. */
export interface Acknowledgment {
  conversationId: string;
  account: string;
}

/** How far an account has read a conversation. */
export interface ReadPosition extends Acknowledgment {
  /** The sequence number up to which everything is read. */
  seq: number;
  /** The other account of a direct conversation, which gets a read receipt. Null if one blocks the other, and in other conversations. */
  receiptRecipient: string | null;
}

const acknowledge = new Statement({
  name: 'acknowledge',
  text: `
    WITH acknowledged AS (
      INSERT INTO member (conversation_id, account, status, acknowledged_seq, acknowledged_at)
      SELECT DISTINCT c.id, a.account, 'reader', c.last_seq, now()
      FROM unnest($1::text[], $2::text[]) AS a (conversation_id, account)
      JOIN conversation c ON c.id = a.conversation_id
      LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = a.account
      WHERE c.type = 'channel' OR mine.status = 'member'
      -- In one order, so that two of these statements do not deadlock.
      ORDER BY c.id, a.account
      ON CONFLICT (conversation_id, account) DO UPDATE
        SET acknowledged_seq = greatest(member.acknowledged_seq, excluded.acknowledged_seq),
            acknowledged_at = excluded.acknowledged_at
      RETURNING conversation_id, account, acknowledged_seq
    )
    SELECT a.conversation_id, a.account, a.acknowledged_seq AS seq,
           CASE WHEN NOT c.blocked THEN CASE a.account WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END END AS receipt_recipient
    FROM acknowledged a JOIN conversation c ON c.id = a.conversation_id`,
  parameters: { conversationIds: sql.arrayOf(sql.text), accounts: sql.arrayOf(sql.text) },
  columns: {
    conversation_id: sql.notNull(sql.text),
    account: sql.notNull(sql.text),
    seq: sql.notNull(sql.int8),
    receipt_recipient: sql.nullable(sql.text),
  },
});

/**
 * Marks everything in each conversation as read by an account, which need not be a member of a channel.
 * @returns those of conversations that the account may read
 */
export async function storeAcknowledgments(
  client: Queryable,
  acknowledgments: readonly Acknowledgment[],
): Promise<ReadPosition[]> {
  if (acknowledgments.length === 0) return [];
  const rows = await acknowledge.query(client, {
    conversationIds: acknowledgments.map(({ conversationId }) => conversationId),
    accounts: acknowledgments.map(({ account }) => account),
  });
  return rows.map((row) => ({
    conversationId: row.conversation_id,
    account: row.account,
    seq: Number(row.seq),
    receiptRecipient: row.receipt_recipient,
  }));
}
