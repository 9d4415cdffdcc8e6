import { setTimeout } from 'node:timers/promises';
import { HiveNodesUnavailableError } from '../../node/errors';

/**
 * Default time that a node may lack what it reports as irreversible, in milliseconds: public nodes get heads from
 * hived, and blocks and operations from HAF, a database that hived fills.
 */
export const defaultStorageDelayMs = 10_000;

/** Pause before data that no node stores yet is read again, in milliseconds. */
export const storagePollMs = 500;

/** One read of several. */
export interface StorageAttempt {
  /** Counts from 0. */
  readonly number: number;
  /** The kind of failure if what is read is missing. */
  readonly missing: 'not-stored' | 'behind';
}

/** Repeats a read while every node lacks the data. After the delay, such a node is `behind`. */
export async function untilStored<T>(maxDelayMs: number, read: (attempt: StorageAttempt) => Promise<T>): Promise<T> {
  const endMs = performance.now() + maxDelayMs;
  for (let number = 0; ; number++) {
    try {
      return await read({ number, missing: performance.now() < endMs ? 'not-stored' : 'behind' });
    } catch (error) {
      if (!isNotStored(error)) throw error;
    }
    await setTimeout(storagePollMs);
  }
}

function isNotStored(error: unknown): boolean {
  return error instanceof HiveNodesUnavailableError && error.failures.some(({ kind }) => kind === 'not-stored');
}
