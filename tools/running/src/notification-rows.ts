import { Client } from 'pg';

/** How many rows to insert. */
export interface NotificationCounts {
  accounts: number;
  notificationsOfEach: number;
}

/** Accounts are called so, with a number from 0 on. */
export const accountPrefix = 'bench-';

/** The number of `follow` among the types of notifications. */
const follow = 15;

/** The only SQL of the bench that knows the tables. `$1` accounts, `$2` notifications of each, which came in turn. */
const fill = [
  `INSERT INTO account (id, name, followers, following, last_read, has_posting_profile)
   SELECT n + 1, '${accountPrefix}' || n, 0, 0, now(), false FROM generate_series(0, $1::int - 1) n`,
  `INSERT INTO notification (id, recipient_id, source_id, score)
   SELECT ((300000000::bigint + turn * 3) << 6 | ${follow}) << 22 | account * 32, account + 1, (account + turn) % $1::int + 1, 25 + turn % 50
   FROM generate_series(1, $2::int) turn, generate_series(0, $1::int - 1) account`,
];

/** Fills the index, and does what autovacuum does after a while. */
export async function fillNotifications(
  databaseUrl: string,
  { accounts, notificationsOfEach }: NotificationCounts,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const [accountRows = '', notificationRows = ''] = fill;
    await client.query(accountRows, [accounts]);
    await client.query(notificationRows, [accounts, notificationsOfEach]);
    await client.query('VACUUM (FREEZE, ANALYZE)');
  } finally {
    await client.end();
  }
}
