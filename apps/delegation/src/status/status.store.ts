import { type Queryable, sql, Statement } from '@waggle/service';
import { backfillName } from '../index-state/index-state';

const selectBackfilledBlock = new Statement({
  name: 'backfilled-block',
  text: 'SELECT block_number FROM chain_checkpoint WHERE name = $1',
  parameters: { name: sql.text },
  columns: { block_number: sql.int8 },
});

/** The last block that the backfill has read; undefined if there is none. */
export async function findBackfilledBlock(queryable: Queryable): Promise<number | undefined> {
  const row = await selectBackfilledBlock.find(queryable, { name: backfillName });
  return row && Number(row.block_number);
}
