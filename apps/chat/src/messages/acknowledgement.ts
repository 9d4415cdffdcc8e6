import { type Queryable, sql, Statement } from '@waggle/service';

/** That an account has read what a conversation holds. */
export interface Acknowledgement {
  conversationId: string;
  account: string;
}

/** What has become of an acknowledgement: everything up to `seq` is read. */
export interface Acknowledged extends Acknowledgement {
  seq: number;
  /** The other account of a direct conversation, which may know of it, unless one of them blocks the other; null elsewhere. */
  reader: string | null;
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
      -- In one order, so that two of these never wait for one another.
      ORDER BY c.id, a.account
      ON CONFLICT (conversation_id, account) DO UPDATE
        SET acknowledged_seq = greatest(member.acknowledged_seq, excluded.acknowledged_seq),
            acknowledged_at = excluded.acknowledged_at
      RETURNING conversation_id, account, acknowledged_seq
    )
    SELECT a.conversation_id, a.account, a.acknowledged_seq AS seq,
           CASE WHEN NOT c.blocked THEN CASE a.account WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END END AS reader
    FROM acknowledged a JOIN conversation c ON c.id = a.conversation_id`,
  parameters: { conversationIds: sql.arrayOf(sql.text), accounts: sql.arrayOf(sql.text) },
  columns: {
    conversation_id: sql.notNull(sql.text),
    account: sql.notNull(sql.text),
    seq: sql.notNull(sql.int8),
    reader: sql.nullable(sql.text),
  },
});

/**
 * Marks what each conversation holds as read by an account, which need not be a member of a channel.
 * @returns those whose conversation the account may read
 */
export async function storeAcknowledgements(
  client: Queryable,
  acknowledgements: readonly Acknowledgement[],
): Promise<Acknowledged[]> {
  if (acknowledgements.length === 0) return [];
  const rows = await acknowledge.query(client, {
    conversationIds: acknowledgements.map(({ conversationId }) => conversationId),
    accounts: acknowledgements.map(({ account }) => account),
  });
  return rows.map((row) => ({
    conversationId: row.conversation_id,
    account: row.account,
    seq: Number(row.seq),
    reader: row.reader,
  }));
}
