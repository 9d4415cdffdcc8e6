import { ChatError } from '../errors';

/** Whether a conversation does not exist or is somebody else's is not the caller's to know. */
export function noSuchConversation(): ChatError {
  return new ChatError('not-found', 'there is no such conversation for you');
}
