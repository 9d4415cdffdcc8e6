import { type Queryable, sql, Statement } from '@waggle/service';
import { type NewMessage } from './append-messages';
import { type Entry } from './entry';
import { entryColumns, selectMessage, toEntry } from './entry-row';
import { body } from './message-body';
import { messageTable } from './message.entity';

/** Returns the stored message for each given one with the same conversation, sender and idempotency key. */
const repeatedMessages = new Statement({
  name: 'repeated-messages',
  text: `
    SELECT wanted.position::int, stored.conversation_id AS stream, ${selectMessage('stored')}
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS wanted (conversation_id, sender, client_id, position)
    -- LATERAL with LIMIT forces one index lookup for each message. For a plain join the planner reads and sorts the whole table if it is
    -- small.
    CROSS JOIN LATERAL (
      SELECT * FROM message
      WHERE conversation_id = wanted.conversation_id AND sender = wanted.sender AND client_id = wanted.client_id LIMIT 1
    ) stored`,
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
    /** The position of the message among the given ones, from 1. */
    position: sql.notNull(sql.int4),
  },
});

/**
 * Finds which messages are stored already: with the same conversation, sender and idempotency key.
 * @returns the stored entry of each such message, without its quote; the map lacks the other messages
 */
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
  // A repeat gets the first result, even after the deletion of the message.
  const entries = rows.map((row) => toEntry({ ...row, deleted: false }));
  return new Map(
    entries.flatMap((entry, i): [NewMessage, Entry][] => {
      const message = keyed[(rows[i]?.position ?? 0) - 1];
      return message === undefined ? [] : [[message, entry]];
    }),
  );
}
