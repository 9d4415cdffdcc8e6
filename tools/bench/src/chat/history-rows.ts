import { Client } from 'pg';

/** A conversation that was filled, and the times of its first and last message in milliseconds. */
export interface FilledConversation {
  id: string;
  firstMs: number;
  lastMs: number;
}

/** Messages are so far apart. */
const secondsApart = 1;

/**
 * The only SQL of the bench that knows the tables of the chat.
 *
 * Replaces the messages of a dm by so many, numbered from 1, that the two wrote in turns, the last one an hour ago.
 * `$1` is the conversation's id, `$2` how many, `$3` the time of the first.
 */
const fill = [
  { text: 'DELETE FROM message WHERE conversation_id = $1', parameters: 1 },
  {
    text: `
      INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at)
      SELECT c.id, n, c.id || '-' || n,
             CASE n % 2 WHEN 0 THEN c.dm_first ELSE c.dm_second END,
             CASE n % 2 WHEN 0 THEN c.dm_second ELSE c.dm_first END,
             'message ' || n || ' of a long conversation between two who have much to say',
             $3::timestamptz + (n - 1) * interval '${secondsApart} second'
      FROM conversation c CROSS JOIN generate_series(1, $2::bigint) n
      WHERE c.id = $1`,
    parameters: 3,
  },
  {
    text: `
      UPDATE conversation
      SET last_seq = $2::bigint, last_message_at = $3::timestamptz + ($2::bigint - 1) * interval '${secondsApart} second'
      WHERE id = $1`,
    parameters: 3,
  },
];

/** What autovacuum does after a while. */
const settle = 'VACUUM (ANALYZE)';

/** Puts messages into dms that are there, directly into the database: over the WebSocket a million would take minutes. */
export async function fillConversations(
  databaseUrl: string,
  conversations: readonly { id: string; messages: number }[],
): Promise<FilledConversation[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const filled: FilledConversation[] = [];
    for (const { id, messages } of conversations) {
      const lastMs = Date.now() - 3_600_000;
      const firstMs = lastMs - (messages - 1) * secondsApart * 1_000;
      const values = [id, messages, new Date(firstMs)];
      for (const { text, parameters } of fill) await client.query(text, values.slice(0, parameters));
      filled.push({ id, firstMs, lastMs });
    }
    await client.query(settle);
    return filled;
  } finally {
    await client.end();
  }
}
