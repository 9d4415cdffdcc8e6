import { runEach, withDatabase } from '@waggle/testing';

/** Groups of one account, all with unread messages, to insert by SQL. */
export interface LargeAccount {
  account: string;
  conversations: number;
  messagesEach: number;
}

/** Distinct words of the messages. The n-th has a frequency in proportion to 1/n, as in natural languages. */
const vocabulary = 50_000;
const wordsPerMessage = 8;
const unreadMessages = 20;
const writers = 3;

const word = `'word' || floor(power(${vocabulary}, random()))::int`;
const text = Array.from({ length: wordsPerMessage }, () => word).join(` || ' ' || `);

/** `$1` is the account, `$2` its number of groups, `$3` the number of messages of each. */
const fill = [
  `INSERT INTO conversation (id, type, name, creator, last_seq, last_message_at)
   SELECT substr(upper(md5($1)), 1, 16) || lpad(n::text, 10, '0'), 'group', 'Group ' || n, $1, $3::bigint,
          now() - n * interval '1 second'
   FROM generate_series(1, $2::int) n`,
  `INSERT INTO member (conversation_id, account, acknowledged_seq)
   SELECT id, account, CASE account WHEN $1 THEN $3::bigint - ${unreadMessages} ELSE $3::bigint END
   FROM conversation
   CROSS JOIN (SELECT $1 AS account UNION ALL SELECT 'writer-' || n FROM generate_series(1, ${writers}) n) member
   WHERE creator = $1 AND $2::int > 0`,
  `INSERT INTO message (conversation_id, seq, id, sender, content, sent_at)
   SELECT id, n, id || '-' || n, 'writer-' || 1 + n % ${writers}, ${text},
          last_message_at - ($3::bigint - n) * interval '1 minute'
   FROM conversation CROSS JOIN generate_series(1, $3::bigint) n
   WHERE creator = $1 AND $2::int > 0`,
];

/** Inserts the groups of accounts, with messages of random words. */
export async function fillLargeAccounts(databaseUrl: string, accounts: readonly LargeAccount[]): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    for (const { account, conversations, messagesEach } of accounts) {
      await runEach(client, fill, [account, conversations, messagesEach]);
    }
    await client.query('VACUUM (ANALYZE)');
  });
}

/** Returns searches for a frequent word, a rare one, two words, and a word that no message has, in turn. */
export function searches(count: number): string[] {
  const kinds = [
    (n: number) => `word${1 + (n % 10)}`,
    (n: number) => `word${Math.floor(vocabulary / 2) + n}`,
    (n: number) => `word${1 + (n % 10)} word${100 + n}`,
    (n: number) => `nothing${n}`,
  ];
  return Array.from({ length: count }, (_, n) => kinds[n % kinds.length]?.(n) ?? '');
}
