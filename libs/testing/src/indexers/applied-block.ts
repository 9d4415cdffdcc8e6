import { withDatabase } from '../postgres/with-database';
import { until, type UntilOptions } from '../until';

/** Returns the last applied block of an index; -1 before the first. */
export function appliedBlock(url: string): Promise<number> {
  return withReader(url, (read) => read());
}

/** Waits until an index applies a block. */
export function untilApplied(url: string, block: number, options?: UntilOptions): Promise<void> {
  return withReader(url, (read) => until(async () => (await read()) >= block, options));
}

/**
 * Passes a function that reads the last applied block over one connection: a new one costs the server more than the
 * query.
 */
function withReader<T>(url: string, work: (read: () => Promise<number>) => Promise<T>): Promise<T> {
  return withDatabase(url, (client) =>
    work(async () => {
      const { rows } = await client.query<{ block_number: string }>('SELECT block_number FROM chain_checkpoint');
      return Number(rows[0]?.block_number ?? -1);
    }),
  );
}
