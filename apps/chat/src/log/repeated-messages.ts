import { type Queryable, sql, Statement } from '@waggle/service';
import { type NewMessage } from './append-messages';
import { type Entry } from './entry';
import { entryColumns, toEntry } from './entry-row';
import { body } from './message-body';
import { messageTable } from './message.entity';

const repeatedMessages = new Statement({
  name: 'repeated-messages',
  text: `
    SELECT w.n::int AS n, m.conversation_id AS stream, m.seq, NULL::jsonb AS events, NULL::text[] AS joins, NULL::text[] AS leaves,
           NULL::jsonb AS subscriptions, m.id, m.sender, m.recipient, ${body.selectFrom('m')}, m.sent_at AS at, false AS deleted
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS w (conversation_id, sender, client_id, n)
    -- LATERAL, since for a join the planner scans and sorts a small table whole.
    CROSS JOIN LATERAL (
      SELECT * FROM message
      WHERE conversation_id = w.conversation_id AND sender = w.sender AND client_id = w.client_id LIMIT 1
    ) m`,
  parameters: {
    conversationIds: sql.arrayOf(messageTable.conversationId),
    senders: sql.arrayOf(messageTable.sender),
    clientIds: sql.arrayOf(messageTable.clientId),
  },
  columns: {
    ...entryColumns,
    id: messageTable.id,
    sender: messageTable.sender,
    ...body.columns,
    at: messageTable.sentAt,
    /** The number of the message among the given ones, from 1. */
    n: sql.notNull(sql.int4),
  },
});

/** Returns the entries of the messages that were stored before, by their idempotency keys. */
export async function findRepeated(
  client: Queryable,
  messages: readonly NewMessage[],
): Promise<Map<NewMessage, Entry>> {
  const keyed = messages.filter(({ clientId }) => clientId !== null);
  if (keyed.length === 0) return new Map();
  const rows = await repeatedMessages.query(client, {
    conversationIds: keyed.map(({ conversationId }) => conversationId),
    senders: keyed.map(({ sender }) => sender),
    clientIds: keyed.map(({ clientId }) => clientId),
  });
  return new Map(
    rows.flatMap((row): [NewMessage, Entry][] => {
      const message = keyed[row.n - 1];
      return message === undefined ? [] : [[message, toEntry(row)]];
    }),
  );
}
