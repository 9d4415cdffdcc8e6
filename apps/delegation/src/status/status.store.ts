import { checkpointTable, type Queryable, Statement } from '@waggle/service';
import { backfillFollowerName } from '../index-state/index-state';

/** `$1` name of a follower. At most one row: the last block that it applied. The table is of `@waggle/chain`. */
const selectBackfilledBlock = new Statement({
  name: 'backfilled-block',
  text: 'SELECT block_number FROM chain_checkpoint WHERE name = $1',
  parameters: { name: checkpointTable.name },
  columns: { block_number: checkpointTable.blockNumber },
});

/**
 * Returns the last block that the backfill applied, at first the one before its start; undefined if it has not started.
 */
export async function findBackfilledBlock(queryable: Queryable): Promise<number | undefined> {
  const row = await selectBackfilledBlock.find(queryable, { name: backfillFollowerName });
  return row && Number(row.block_number);
}
