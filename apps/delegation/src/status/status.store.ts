import { type Queryable } from '@waggle/service';
import { backfillName } from '../indexer/names';

/** The last block of earlier history that was read; undefined where none was. */
export async function findBackfilledBlock(queryable: Queryable): Promise<number | undefined> {
  const { rows } = await queryable.query<{ block_number: string }>({
    name: 'backfilled-block',
    text: 'SELECT block_number FROM chain_checkpoint WHERE name = $1',
    values: [backfillName],
  });
  return rows[0] && Number(rows[0].block_number);
}
