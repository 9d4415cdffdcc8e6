import { type Queryable, sql, Statement } from '@waggle/service';

const insertIndexState = new Statement({
  name: 'index-state-begin',
  text: `
    INSERT INTO index_state (begins, has_all_votes, next_account_id, next_post_id) VALUES ($1, $2, 1, 1)
    ON CONFLICT DO NOTHING`,
  parameters: { begins: sql.timestamptz, hasAllVotes: sql.bool },
  columns: {},
});

const selectIndexStateForUpdate = new Statement({
  name: 'index-state-lock',
  text: `
    SELECT begins, has_all_votes, next_account_id, next_post_id, set_config('plan_cache_mode', 'force_custom_plan', true)
    FROM index_state FOR UPDATE`,
  parameters: {},
  columns: {
    begins: sql.timestamptz,
    has_all_votes: sql.bool,
    next_account_id: sql.int4,
    next_post_id: sql.int8,
    set_config: sql.nullable(sql.text),
  },
});

const updateIndexState = new Statement({
  name: 'index-state-write',
  text: 'UPDATE index_state SET next_account_id = $1, next_post_id = $2',
  parameters: { nextAccountId: sql.int4, nextPostId: sql.int8 },
  columns: {},
});

/** Returns no row before the indexer has started. */
export const hasAllVotes = new Statement({
  name: 'index-state-has-all-votes',
  text: 'SELECT has_all_votes FROM index_state',
  parameters: {},
  columns: { has_all_votes: sql.bool },
});

/** Where the index starts, and its next ids. */
export interface IndexState {
  /** The time of the block before the first one: accounts created later were created in a block of the index. */
  readonly begins: Date;
  /** Whether the index starts with the first block of the chain, and so contains every vote. */
  readonly hasAllVotes: boolean;
  readonly nextAccountId: number;
  readonly nextPostId: bigint;
}

/** Creates the state of an empty index. Does nothing if it exists. */
export async function initializeIndexState(client: Queryable, begins: Date, containsAllVotes: boolean): Promise<void> {
  await insertIndexState.execute(client, { begins, hasAllVotes: containsAllVotes });
}

/**
 * Locks the state until the end of the transaction, so that only one indexer continues from it. Also turns off generic plans
 * for the transaction: those made while the tables were small used sequential scans, and a batch took ten times as long.
 *
 * @throws Error if the index was not initialized
 */
export async function lockIndexState(client: Queryable): Promise<IndexState> {
  const row = await selectIndexStateForUpdate.find(client, {});
  if (row === undefined) throw new Error('the index was not initialized');
  return {
    begins: row.begins,
    hasAllVotes: row.has_all_votes,
    nextAccountId: row.next_account_id,
    nextPostId: BigInt(row.next_post_id),
  };
}

export async function writeIndexState(
  client: Queryable,
  { nextAccountId, nextPostId }: Pick<IndexState, 'nextAccountId' | 'nextPostId'>,
): Promise<void> {
  await updateIndexState.execute(client, { nextAccountId, nextPostId });
}
