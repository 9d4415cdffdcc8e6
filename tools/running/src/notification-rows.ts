import { runEach, withDatabase } from '@waggle/testing/with-database';
import { type ClientBase } from 'pg';
import { benchPrefix } from './bench-accounts';

/** How many rows to insert. */
export interface NotificationCounts {
  accounts: number;
  notificationsOfEach: number;
}

/**
 * The type number of `follow` notifications. A notification's id contains the seconds since Hive's genesis, the type (6
 * bits) and the position in the block (22 bits): the highest bit is set, and the rest is a multiple of 32.
 */
const follow = 15;

/** Inserts `$1` accounts and `$2` notifications for each of them, in turn. */
const fill = [
  `INSERT INTO account (id, name, followers, following, last_read, has_posting_profile)
   SELECT n + 1, '${benchPrefix}' || n, 0, 0, now(), false FROM generate_series(0, $1::int - 1) n`,
  `INSERT INTO notification (id, recipient_id, source_id, score)
   SELECT ((300000000::bigint + turn * 3) << 6 | ${follow}) << 22 | (1 << 21) | account * 32, account + 1, (account + turn) % $1::int + 1, 25 + turn % 50
   FROM generate_series(1, $2::int) turn, generate_series(0, $1::int - 1) account`,
];

/** Above the head block of every node, so that the index is not behind and the gateway forwards no call. */
const firstCheckpoint = 1_000_000_000;

/** The state of a complete index whose last block was produced now. */
const begin = [
  `INSERT INTO index_state
     (index_id, begins, first_block, notification_days, notifications_from, bodies_from, has_posts, has_votes,
      has_rankings, next_account_id, next_post_id)
   VALUES (gen_random_uuid(), now(), 1, 90, now() - interval '90 days', now(), true, true, true, 1000000, 1)`,
  `INSERT INTO chain_checkpoint (name, block_number, block_id, block_time, applied_at)
   VALUES ('rpc-gateway', ${firstCheckpoint}, '', date_trunc('second', now()), now())`,
];

/** Fills the index and vacuums it, as autovacuum would do later. */
export async function fillNotifications(
  databaseUrl: string,
  { accounts, notificationsOfEach }: NotificationCounts,
): Promise<void> {
  const texts = [...fill, ...begin, 'VACUUM (FREEZE, ANALYZE)'];
  await withDatabase(databaseUrl, (client) => runEach(client, texts, [accounts, notificationsOfEach]));
}

const insertNotifications = `
  INSERT INTO notification (id, recipient_id, source_id, score)
  SELECT (((extract(epoch FROM block_time)::bigint - extract(epoch FROM timestamptz '2016-03-24T16:00:00Z')::bigint) << 6 | ${follow}) << 22)
    | (1 << 21) | position * 32, recipient + 1, 1, 50
  FROM chain_checkpoint, unnest($1::int[]) WITH ORDINALITY AS r (recipient, position)`;

const moveCheckpoint = `
  UPDATE chain_checkpoint
  SET block_number = block_number + 1, block_time = block_time + interval '3 seconds', applied_at = clock_timestamp()`;

/** Commits a block with a notification for each of these account numbers, as the indexer does. */
export async function commitNotifications(client: ClientBase, accounts: readonly number[]): Promise<void> {
  await client.query('BEGIN');
  await client.query(insertNotifications, [accounts]);
  await client.query(moveCheckpoint);
  await client.query('COMMIT');
}
