import { type ChatRestErrorCode, type FrameErrorCode } from '@waggle/contracts';
import { ServiceError } from '@waggle/service';

/** A refusal with a code of the chat's own interface: of its REST errors, its `error` frames, or both. */
export class ChatError extends ServiceError {
  constructor(code: ChatRestErrorCode | FrameErrorCode, message: string, details?: ServiceError['details']) {
    super(code, message, details);
  }
}
