import { type Queryable } from '@waggle/service';

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
export async function beginIndexState(client: Queryable, begins: Date, hasAllVotes: boolean): Promise<void> {
  await client.query(
    `INSERT INTO index_state (begins, has_all_votes, next_account_id, next_post_id) VALUES ($1, $2, 1, 1)
     ON CONFLICT DO NOTHING`,
    [begins, hasAllVotes],
  );
}

/**
 * Nobody else goes on from there before the transaction ends. In it, statements are planned for the rows that they get: plans
 * that were made while the tables were small read them from end to end, and a batch took ten times as long.
 *
 * @throws Error where the index was not begun
 */
export async function lockIndexState(client: Queryable): Promise<IndexState> {
  const { rows } = await client.query<{
    begins: Date;
    has_all_votes: boolean;
    next_account_id: number;
    next_post_id: string;
  }>({
    name: 'index-state-lock',
    text: `
      SELECT begins, has_all_votes, next_account_id, next_post_id, set_config('plan_cache_mode', 'force_custom_plan', true)
      FROM index_state FOR UPDATE`,
  });
  const [row] = rows;
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
  await client.query({
    name: 'index-state-write',
    text: 'UPDATE index_state SET next_account_id = $1, next_post_id = $2',
    values: [nextAccountId, nextPostId],
  });
}
