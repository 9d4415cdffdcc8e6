import { Client } from 'pg';
import { until, type UntilOptions } from '../until';

/** Returns the last applied block of an index; -1 before the first. */
export function appliedBlock(url: string): Promise<number> {
  return asking(url, (appliedBlock) => appliedBlock());
}

/** Waits until an index has applied a block. */
export function untilApplied(url: string, block: number, options?: UntilOptions): Promise<void> {
  return asking(url, (appliedBlock) => until(async () => (await appliedBlock()) >= block, options));
}

/** Polls an index over one connection, because a new one costs the server more than the query. */
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
