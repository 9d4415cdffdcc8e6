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

/** A row, if the index was begun. */
export const hasAllVotes = new Statement({
  name: 'index-state-has-all-votes',
  text: 'SELECT has_all_votes FROM index_state',
  parameters: {},
  columns: { has_all_votes: sql.bool },
});

/** Where an index begins, and what comes next in it. */
export interface IndexState {
  /** Who was created at this time or later was created in a block of the index. */
  readonly begins: Date;
  /** Whether it begins with the chain, and so knows every vote. */
  readonly hasAllVotes: boolean;
  readonly nextAccountId: number;
  readonly nextPostId: bigint;
}

/** Where nothing is applied yet. Does nothing where it was begun before. */
export async function beginIndexState(client: Queryable, begins: Date, knowsAllVotes: boolean): Promise<void> {
  await insertIndexState.execute(client, { begins, hasAllVotes: knowsAllVotes });
}

/**
 * Nobody else goes on from there before the transaction ends. In it, statements are planned for the rows that they get: plans
 * that were made while the tables were small read them from end to end, and a batch took ten times as long.
 *
 * @throws Error where the index was not begun
 */
export async function lockIndexState(client: Queryable): Promise<IndexState> {
  const row = await selectIndexStateForUpdate.find(client, {});
  if (row === undefined) throw new Error('the index was not begun');
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
