import { ServiceError } from '@waggle/service';

/** Whether a conversation does not exist or is somebody else's is not the caller's to know. */
export function noSuchConversation(): ServiceError {
  return new ServiceError('not-found', 'there is no such conversation for you');
}
