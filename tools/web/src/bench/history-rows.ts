import { randomUUID } from 'node:crypto';
import { runEach, withDatabase } from '@waggle/testing';

/**
 * The only SQL of the bench that knows the chat's tables. `$1` id, `$2` and `$3` accounts, `$4` number of messages,
 * `$5` how many of them are unread.
 */
const fill = [
  `INSERT INTO conversation (id, type, creator, dm_first, dm_second, last_seq, changed_seq, last_message_at)
   VALUES ($1, 'dm', $2, least($2, $3), greatest($2, $3), $4::int + 1, 1, now())`,
  `INSERT INTO member (conversation_id, account, acknowledged_seq, receipt_seq)
   SELECT $1, account, read, read FROM (VALUES ($2, $4::int + 1 - $5::int), ($3, $4::int + 1)) reader (account, read)`,
  `INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at)
   SELECT $1, n + 1, $1 || '-' || n, sender, CASE sender WHEN $2 THEN $3 ELSE $2 END,
     'message ' || n || repeat(' and some more words', n % 7), now() - ($4::int - n) * interval '1 minute'
   FROM generate_series(1, $4::int) n
   CROSS JOIN LATERAL (SELECT CASE WHEN n % 3 = 0 AND n <= $4::int - $5::int THEN $2 ELSE $3 END AS sender) written`,
];

/**
 * Stores a dm of two accounts with `count` messages. The first account has not read the last ones, which are not its
 * own.
 */
export async function fillHistory(
  databaseUrl: string,
  accounts: [string, string],
  count: number,
  unread = 0,
): Promise<void> {
  const values = [randomUUID(), ...accounts, count, unread];
  await withDatabase(databaseUrl, (client) => runEach(client, [...fill, 'ANALYZE'], values));
}
