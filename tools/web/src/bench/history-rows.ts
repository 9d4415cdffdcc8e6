import { randomUUID } from 'node:crypto';
import { runEach, withDatabase } from '@waggle/testing';

/** The only SQL of the bench that knows the chat's tables. `$1` id, `$2` and `$3` accounts, `$4` number of messages. */
const fill = [
  `INSERT INTO conversation (id, type, creator, dm_first, dm_second, last_seq, changed_seq, last_message_at)
   VALUES ($1, 'dm', $2, least($2, $3), greatest($2, $3), $4::int + 1, 1, now())`,
  `INSERT INTO member (conversation_id, account, acknowledged_seq, receipt_seq)
   SELECT $1, unnest(ARRAY[$2, $3]), $4::int + 1, $4::int + 1`,
  `INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at)
   SELECT $1, n + 1, $1 || '-' || n, CASE n % 3 WHEN 0 THEN $2 ELSE $3 END, CASE n % 3 WHEN 0 THEN $3 ELSE $2 END,
     'message ' || n || repeat(' and some more words', n % 7), now() - ($4::int - n) * interval '1 minute'
   FROM generate_series(1, $4::int) n`,
];

/** Stores a dm of two accounts with `count` messages, all of them read. */
export async function fillHistory(databaseUrl: string, accounts: [string, string], count: number): Promise<void> {
  const values = [randomUUID(), ...accounts, count];
  await withDatabase(databaseUrl, (client) => runEach(client, [...fill, 'ANALYZE'], values));
}
