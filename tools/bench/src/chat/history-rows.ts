import { runEach, withDatabase } from '@waggle/testing';

/** A conversation with the times of its first and last message. */
export interface FilledConversation {
  id: string;
  firstMs: number;
  lastMs: number;
}

const messageIntervalSeconds = 1;

/**
 * Replaces the messages of a dm by messages that the two accounts wrote in turns. `$1` is the id of the conversation,
 * `$2` the number of messages, `$3` the time of the first one.
 */
const fill = [
  'DELETE FROM message WHERE conversation_id = $1',
  `INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at)
   SELECT c.id, n, c.id || '-' || n,
          CASE n % 2 WHEN 0 THEN c.dm_first ELSE c.dm_second END,
          CASE n % 2 WHEN 0 THEN c.dm_second ELSE c.dm_first END,
          'message ' || n || ' of a long conversation between two people with much to say',
          $3::timestamptz + (n - 1) * interval '${messageIntervalSeconds} second'
   FROM conversation c CROSS JOIN generate_series(1, $2::bigint) n
   WHERE c.id = $1`,
  `UPDATE conversation
   SET last_seq = $2::bigint, last_message_at = $3::timestamptz + ($2::bigint - 1) * interval '${messageIntervalSeconds} second'
   WHERE id = $1`,
];

/** What autovacuum would do later. */
const vacuum = 'VACUUM (ANALYZE)';

/** Inserts messages into existing dms by SQL: a million messages over the WebSocket would take minutes. */
export async function fillConversations(
  databaseUrl: string,
  conversations: readonly { id: string; messages: number }[],
): Promise<FilledConversation[]> {
  return await withDatabase(databaseUrl, async (client) => {
    const filled: FilledConversation[] = [];
    for (const { id, messages } of conversations) {
      const lastMs = Date.now() - 3_600_000;
      const firstMs = lastMs - (messages - 1) * messageIntervalSeconds * 1_000;
      await runEach(client, fill, [id, messages, new Date(firstMs)]);
      filled.push({ id, firstMs, lastMs });
    }
    await client.query(vacuum);
    return filled;
  });
}
