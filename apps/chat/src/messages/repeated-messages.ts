import { type Queryable } from '@waggle/service';
import { toEntry, type EntryRow } from '../log/entry-row';
import { type NewMessage, type SendResult } from './send-result';

/** Finds those of the messages that were stored before, by their idempotency keys. */
export async function findRepeated(
  client: Queryable,
  messages: readonly NewMessage[],
): Promise<Map<NewMessage, SendResult>> {
  const keyed = messages.filter(({ clientId }) => clientId !== null);
  if (keyed.length === 0) return new Map();
  const { rows } = await client.query<EntryRow & { n: number }>({
    name: 'repeated-messages',
    text: `
      SELECT w.n::int AS n, m.conversation_id AS stream, m.seq, NULL AS events, NULL AS joins, NULL AS leaves, NULL AS subscriptions,
             m.id, m.sender, m.recipient, m.content, m.sent_at AS at, false AS deleted
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS w (conversation_id, sender, client_id, n)
      -- Each by itself: joined, a small table is read whole for them, and sorted.
      CROSS JOIN LATERAL (
        SELECT * FROM message
        WHERE conversation_id = w.conversation_id AND sender = w.sender AND client_id = w.client_id LIMIT 1
      ) m`,
    values: [
      keyed.map(({ conversationId }) => conversationId),
      keyed.map(({ sender }) => sender),
      keyed.map(({ clientId }) => clientId),
    ],
  });
  return new Map(
    rows.flatMap((row): [NewMessage, SendResult][] => {
      const message = keyed[row.n - 1];
      return message === undefined ? [] : [[message, { outcome: 'repeated', entries: [toEntry(row)] }]];
    }),
  );
}
