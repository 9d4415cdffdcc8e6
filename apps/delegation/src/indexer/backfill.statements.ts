import { type Queryable, sql, Statement } from '@waggle/service';
import { firstChangeId } from '../index-state/change-id';
import { type IndexState } from '../index-state/index-state';
import { delegationTable } from '../delegations/delegation.entity';
import { delegationChangeTable } from '../history/delegation-change.entity';
import { indexStateTable } from '../index-state/index-state.entity';

/** Number of ids compared in one statement, which takes at most a second. */
const idsAtOnce = 10_000;

/**
 * `$1` first id; `$2` end of the ids; `$3` first change after the start of the load; `$4` first change after its end.
 * One row: how many of the delegations had another amount at the start than the loaded one, and did not change then.
 */
const countMismatchesAmong = new Statement({
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
  parameters: {
    firstId: delegationTable.id,
    endId: delegationTable.id,
    firstChange: delegationChangeTable.id,
    endChange: delegationChangeTable.id,
  },
  columns: { count: sql.notNull(sql.int8) },
});

const updateHistoryFrom = new Statement({
  name: 'update-history-from',
  text: 'UPDATE index_state SET history_from = $1, as_of_from = $2',
  parameters: { historyFrom: indexStateTable.historyFrom, asOfFrom: indexStateTable.asOfFrom },
  columns: {},
});

const updateBackfillFrom = new Statement({
  name: 'update-backfill-from',
  text: 'UPDATE index_state SET backfill_from = $1',
  parameters: { backfillFrom: sql.notNull(indexStateTable.backfillFrom) },
  columns: {},
});

/**
 * Counts delegations whose history before the start of the index ends with another amount than the loaded one.
 * Delegations that changed during the load are skipped, since their loaded amount is of some moment between these
 * changes.
 */
export async function countMismatches(
  queryable: Queryable,
  { loadedFrom, loadedTo, nextDelegationId }: IndexState,
): Promise<number> {
  let mismatches = 0;
  for (let first = 1; first < nextDelegationId; first += idsAtOnce) {
    const row = await countMismatchesAmong.find(queryable, {
      firstId: first,
      endId: first + idsAtOnce,
      firstChange: firstChangeId(loadedFrom + 1),
      endChange: firstChangeId(loadedTo + 1),
    });
    mismatches += Number(row?.count ?? 0);
  }
  return mismatches;
}

/** Makes the history visible from this block on. Nothing was delegated before it. */
export async function showHistoryFrom(queryable: Queryable, firstBlock: number): Promise<void> {
  await updateHistoryFrom.execute(queryable, { historyFrom: firstBlock, asOfFrom: firstBlock - 1 });
}

/** Records the block that the backfill begins with. */
export async function setBackfillFrom(queryable: Queryable, firstBlock: number): Promise<void> {
  await updateBackfillFrom.execute(queryable, { backfillFrom: firstBlock });
}
