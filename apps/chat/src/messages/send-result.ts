import { ChatError, notThere } from '../errors';
import { type Entry } from '../log/entry';

/** Why an account may not write into a conversation. */
export type WriteError = 'not-found' | 'blocked' | 'friends-only' | 'banned';

/**
 * The result of sending a message. Its entries are in order, its own the last: the entries of the join precede it. `repeated` means that
 * the message had been stored before.
 */
export type SendResult = { outcome: 'stored' | 'repeated'; entries: readonly Entry[] } | { outcome: WriteError };

const writeErrors: Record<WriteError, () => ChatError> = {
  'not-found': notThere,
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

/** Returns a rejected promise that may be handled later: until then it is no unhandled rejection. */
export function rejected(error: unknown): Promise<never> {
  const rejection = Promise.reject(error instanceof Error ? error : new Error(String(error)));
  rejection.catch(() => undefined);
  return rejection;
}
