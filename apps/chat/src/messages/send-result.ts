import { type Entry } from '../log/entry';
import { type WriteError } from './write-errors';

/**
 * The result of sending a message. Its own entry is the last; before it come those of the change that it made, such as the join of its
 * sender. `repeated` means that the message had been stored before, perhaps without the entries of its change.
 */
export type SendResult = { outcome: 'stored' | 'repeated'; entries: readonly Entry[] } | { outcome: WriteError };

/** Returns a rejected promise that may be awaited late, without an unhandled rejection. */
export function rejected(error: unknown): Promise<never> {
  const rejection = Promise.reject(error instanceof Error ? error : new Error(String(error)));
  rejection.catch(() => undefined);
  return rejection;
}
