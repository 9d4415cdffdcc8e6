import { type Entry } from '../log/entry';
import { type WriteError } from './authorize-messages';

/**
 * The result of sending a message. The last entry is the message; before it are the entries of the change that it made,
 * such as the join of its sender. `repeated`: the message was stored before, and the entries of its change may be left
 * out.
 */
export type SendResult =
  | { outcome: 'stored' | 'repeated'; entries: readonly Entry[] }
  | { outcome: 'rejected'; error: WriteError };
