import { ChatError, notFound } from '../errors';

/** Why an account may not write into a conversation. */
export type WriteError = 'not-found' | 'blocked' | 'friends-only' | 'banned';

const writeErrors: Record<WriteError, () => ChatError> = {
  'not-found': notFound,
  banned: () => new ChatError('forbidden', 'you were removed from this channel'),
  blocked: () => new ChatError('blocked', 'one of you has blocked the other'),
  'friends-only': () => new ChatError('friends-only', 'this account takes direct messages from friends only'),
};

export function isWriteError(outcome: string): outcome is WriteError {
  return Object.hasOwn(writeErrors, outcome);
}

/** Returns the error that the sender of a rejected message gets. */
export function toChatError(writeError: WriteError): ChatError {
  return writeErrors[writeError]();
}
