import { ChatError, notThere } from '../errors';
import { type Appended, type NewMessage, type Refusal } from './append-messages';
import { type StoredMessage } from './message-events';

const refusals: Record<Refusal, () => ChatError> = {
  'not-found': notThere,
  'wrong-recipient': () => new ChatError('forbidden', 'to is not the other member of this dm'),
  'kept-out': () => new ChatError('forbidden', 'you were removed from this channel'),
  blocked: () => new ChatError('blocked', 'one of you has blocked the other'),
  'friends-only': () => new ChatError('friends-only', 'this account takes direct messages from friends only'),
};

/** The message once it is stored. @throws ServiceError `not-found`, `forbidden`, `blocked`, `friends-only` where it was refused */
export function stored(message: NewMessage, appended: Appended): StoredMessage {
  if (appended.outcome === 'appended') return { ...message, ...appended };
  throw refusals[appended.outcome]();
}
