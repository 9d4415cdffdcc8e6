import { type Queryable, sql, Statement } from '@waggle/service';
import { indexStateTable } from './index-state.entity';

/** The name of the follower's checkpoint, of its lock and of the label of its metrics. */
export const followerName = 'rpc-gateway';

/** Adds the only row, unless it exists. Nothing is retained from before the index begins. */
const insertIndexState = new Statement({
  name: 'index-state-begin',
  text: `
    INSERT INTO index_state
      (index_id, begins, first_block, notification_days, notifications_from, has_posts, has_votes, has_rankings, body_days, bodies_from, next_account_id, next_post_id)
    VALUES (gen_random_uuid(), $1::timestamptz, $2, $3, greatest($1::timestamptz, $4), true, $5, false, $6::int,
      greatest($1::timestamptz, $4::timestamptz - $6::int * interval '1 day'), 1, 1) ON CONFLICT DO NOTHING`,
  parameters: {
    begins: indexStateTable.begins,
    firstBlock: indexStateTable.firstBlock,
    notificationDays: indexStateTable.notificationDays,
    notificationsFrom: indexStateTable.notificationsFrom,
    hasVotes: indexStateTable.hasVotes,
    bodyDays: indexStateTable.bodyDays,
  },
  columns: {},
});

/** One row, which is locked; none before the index was initialized. */
const selectIndexStateForUpdate = new Statement({
  name: 'index-state-lock',
  text: `
    SELECT begins, first_block, notifications_from, bodies_from, has_rankings, next_account_id, next_post_id,
      set_config('plan_cache_mode', 'force_custom_plan', true)
    FROM index_state FOR UPDATE`,
  parameters: {},
  columns: {
    begins: indexStateTable.begins,
    first_block: indexStateTable.firstBlock,
    notifications_from: indexStateTable.notificationsFrom,
    bodies_from: indexStateTable.bodiesFrom,
    has_rankings: indexStateTable.hasRankings,
    next_account_id: indexStateTable.nextAccountId,
    next_post_id: indexStateTable.nextPostId,
    set_config: sql.nullable(sql.text),
  },
});

/**
 * Stores the next ids, and since when no notification or body is missing: those before `retainedFrom` and
 * `bodiesRetainedFrom` (null: all are retained) are neither created nor retained.
 */
export const updateIndexState = new Statement({
  name: 'index-state-write',
  text: `
    UPDATE index_state
    SET next_account_id = $1, next_post_id = $2, notification_days = $3,
      notifications_from = greatest(notifications_from, $4), has_votes = has_votes AND $5, body_days = $6,
      bodies_from = greatest(bodies_from, $7), has_rankings = $8`,
  parameters: {
    nextAccountId: indexStateTable.nextAccountId,
    nextPostId: indexStateTable.nextPostId,
    notificationDays: indexStateTable.notificationDays,
    retainedFrom: indexStateTable.notificationsFrom,
    keepsVotes: indexStateTable.hasVotes,
    bodyDays: indexStateTable.bodyDays,
    bodiesRetainedFrom: sql.nullable(indexStateTable.bodiesFrom),
    hasRankings: indexStateTable.hasRankings,
  },
  columns: {},
});

/** The beginning of the index, and its next ids. */
export interface IndexState {
  /**
   * The time of the block before the first one, or of block 1 itself. Accounts created later were created in a block of
   * the index.
   */
  readonly begins: Date;
  /** The index contains every effect from this block on; 1 if it has the whole chain's. */
  readonly firstBlock: number;
  /** Earlier notifications were left out, or deleted. */
  readonly notificationsFrom: Date;
  /** Earlier bodies were left out, or deleted. */
  readonly bodiesFrom: Date;
  /** Whether unpaid posts are ranked. */
  readonly hasRankings: boolean;
  readonly nextAccountId: number;
  readonly nextPostId: bigint;
}

/** Creates the state of an empty index. Does nothing if it exists. */
export async function initializeIndexState(
  client: Queryable,
  start: Pick<IndexState, 'begins' | 'firstBlock' | 'notificationsFrom'> & {
    readonly notificationDays: number;
    /** Default: for ever. */
    readonly bodyDays?: number | null;
    /** Whether votes are kept; default: yes. */
    readonly hasVotes?: boolean;
  },
): Promise<void> {
  await insertIndexState.execute(client, { bodyDays: null, hasVotes: true, ...start });
}

/**
 * Locks the state until the end of the transaction, so that only one indexer continues from it. Also turns off generic
 * plans for the transaction: those made while the tables were small used sequential scans, and a batch took ten times
 * as long.
 *
 * @throws Error if the index was not initialized
 */
export async function lockIndexState(client: Queryable): Promise<IndexState> {
  const row = await selectIndexStateForUpdate.find(client, {});
  if (row === undefined) throw new Error('the index was not initialized');
  return {
    begins: row.begins,
    firstBlock: row.first_block,
    notificationsFrom: row.notifications_from,
    bodiesFrom: row.bodies_from,
    hasRankings: row.has_rankings,
    nextAccountId: row.next_account_id,
    nextPostId: BigInt(row.next_post_id),
  };
}
