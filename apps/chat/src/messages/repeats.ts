import { type Queryable } from '@waggle/service';
import { type Entry } from '../streams/entry';
import { toEntry, type EntryRow } from '../streams/streams.store';
import { type NewMessage, type Stored } from './new-message';

/** Those of the messages that were stored before, known by the mark that their client gave them, with the first result. */
export async function findRepeats(client: Queryable, messages: readonly NewMessage[]): Promise<[NewMessage, Stored][]> {
  const marked = messages.filter(({ clientId }) => clientId !== null);
  if (marked.length === 0) return [];
  const { rows } = await client.query<EntryRow & { n: number }>({
    name: 'repeated-messages',
    text: `
      SELECT w.n::int AS n, m.conversation_id AS stream, m.seq, NULL AS told, NULL AS joins, NULL AS leaves,
             m.id, m.sender, m.recipient, m.content, m.sent_at AS at, false AS deleted
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS w (conversation_id, sender, client_id, n)
      -- Each by itself: joined, a small table is read whole for them, and sorted.
      CROSS JOIN LATERAL (
        SELECT * FROM message
        WHERE conversation_id = w.conversation_id AND sender = w.sender AND client_id = w.client_id LIMIT 1
      ) m`,
    values: [
      marked.map(({ conversationId }) => conversationId),
      marked.map(({ sender }) => sender),
      marked.map(({ clientId }) => clientId),
    ],
  });
  return rows.flatMap((row): [NewMessage, Stored][] => {
    const message = marked[row.n - 1];
    const entry: Entry = toEntry(row);
    return message === undefined ? [] : [[message, { outcome: 'repeated', entries: [entry] }]];
  });
}
