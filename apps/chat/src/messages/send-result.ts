import { type Entry } from '../log/entry';
import { type WriteError } from './write-errors';

/**
 * The result of sending a message. Its entries are in order, its own the last: the entries of the join precede it. `repeated` means that
 * the message had been stored before.
 */
export type SendResult = { outcome: 'stored' | 'repeated'; entries: readonly Entry[] } | { outcome: WriteError };

/** Returns a rejected promise that may be handled later: until then it is no unhandled rejection. */
export function rejected(error: unknown): Promise<never> {
  const rejection = Promise.reject(error instanceof Error ? error : new Error(String(error)));
  rejection.catch(() => undefined);
  return rejection;
}
