import { type Entry } from '../log/entry';
import { type WriteError } from './authorize-messages';

/**
 * The result of sending a message. Its own entry is the last, after the entries of the change that it made, such as the
 * join of its sender. `repeated` means that the message was stored before, perhaps without the entries of its change.
 */
export type SendResult =
  | { outcome: 'stored' | 'repeated'; entries: readonly Entry[] }
  | { outcome: 'rejected'; error: WriteError };
