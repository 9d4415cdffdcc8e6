import { Client } from 'pg';
import { until, type UntilOptions } from '../until';

/** The last block of an index; -1 where it has not begun. */
export function appliedBlock(url: string): Promise<number> {
  return asking(url, (appliedBlock) => appliedBlock());
}

/** Resolves when an index has the block. */
export function untilApplied(url: string, block: number, options?: UntilOptions): Promise<void> {
  return asking(url, (appliedBlock) => until(async () => (await appliedBlock()) >= block, options));
}

/** Asks an index over one connection: a new one costs the server more than the question. */
async function asking<T>(url: string, work: (appliedBlock: () => Promise<number>) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async () => {
      const { rows } = await client.query<{ block_number: string }>('SELECT block_number FROM chain_checkpoint');
      return Number(rows[0]?.block_number ?? -1);
    });
  } finally {
    await client.end();
  }
}
