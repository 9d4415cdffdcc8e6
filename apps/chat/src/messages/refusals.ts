import { ChatError, notThere } from '../errors';
import { type Refusal } from './judge-messages';

const refusals: Record<Refusal, () => ChatError> = {
  'not-found': notThere,
  'kept-out': () => new ChatError('forbidden', 'you were removed from this channel'),
  blocked: () => new ChatError('blocked', 'one of you has blocked the other'),
  'friends-only': () => new ChatError('friends-only', 'this account takes direct messages from friends only'),
};

/** What the writer of a message is told that may not be written. */
export function refused(refusal: Refusal): ChatError {
  return refusals[refusal]();
}
