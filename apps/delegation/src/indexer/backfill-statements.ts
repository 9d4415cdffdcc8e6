import { type Queryable } from '@waggle/service';
import { firstChangeId } from '../history/change-id';
import { type IndexState } from '../index-state/index-state';

/** Delegations are compared so many ids at a time, which takes a second at most. */
const idsAtOnce = 10_000;

/**
 * How many delegations the history before the index began leaves otherwise than the node said that they were then. Those
 * that changed while the node was read are left out: what it said is of some moment among those changes.
 */
export async function countMismatches(
  queryable: Queryable,
  { loadedFrom, loadedTo, nextDelegationId }: IndexState,
): Promise<number> {
  let mismatches = 0;
  for (let first = 1; first < nextDelegationId; first += idsAtOnce) {
    const { rows } = await queryable.query<{ count: string }>({
      name: 'count-mismatches',
      text: `
        SELECT count(*) FROM delegation d
        WHERE d.id >= $1 AND d.id < $2
          AND coalesce(d.loaded_amount, 0) <> coalesce((
            SELECT c.amount FROM delegation_change c
            WHERE c.delegation_id = d.id AND c.id < $3 ORDER BY c.id DESC LIMIT 1
          ), 0)
          AND NOT EXISTS (
            SELECT FROM delegation_change c WHERE c.delegation_id = d.id AND c.id >= $3 AND c.id < $4
          )`,
      values: [first, first + idsAtOnce, firstChangeId(loadedFrom + 1), firstChangeId(loadedTo + 1)],
    });
    mismatches += Number(rows[0]?.count ?? 0);
  }
  return mismatches;
}

/** From now on the history is shown from this block on, before which there was nothing. */
export async function openHistory(queryable: Queryable, firstBlock: number): Promise<void> {
  await queryable.query('UPDATE index_state SET history_from = $1, as_of_from = $2', [firstBlock, firstBlock - 1]);
}

/** That earlier history is read from this block on. */
export async function beginHistory(queryable: Queryable, firstBlock: number): Promise<void> {
  await queryable.query('UPDATE index_state SET backfill_from = $1', [firstBlock]);
}
