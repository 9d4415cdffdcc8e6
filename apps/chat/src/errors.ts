import { type ChatRestErrorCode, type FrameErrorCode } from '@waggle/contracts';
import { ServiceError } from '@waggle/service';

/** A refusal with a code of the chat's own interface: of its REST errors, its `error` frames, or both. */
export class ChatError extends ServiceError {
  constructor(
    override readonly code: ChatRestErrorCode | FrameErrorCode,
    message: string,
    details?: ServiceError['details'],
  ) {
    super(code, message, details);
  }
}

/** Whether a conversation or message does not exist or is somebody else's is not the caller's to know: the answer is one. */
export function notThere(): ChatError {
  return new ChatError('not-found', 'there is no such conversation or message for you');
}
