import { Client } from 'pg';
import { until } from '../until';

/** The last block of an index; -1 where it has not begun. */
export function appliedBlock(url: string): Promise<number> {
  return asking(url, (appliedBlock) => appliedBlock());
}

export interface UntilAppliedOptions {
  limitMs?: number;
  /** Called each time before it is looked; what it throws ends the wait. */
  beforeLook?: () => void;
}

/** Resolves when an index has the block. */
export function untilApplied(
  url: string,
  block: number,
  { beforeLook, ...options }: UntilAppliedOptions = {},
): Promise<void> {
  let applied = -1;
  return asking(url, (appliedBlock) =>
    until(
      async () => {
        beforeLook?.();
        applied = await appliedBlock();
        return applied >= block;
      },
      { ...options, instead: () => `block ${applied} of ${block}` },
    ),
  );
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
