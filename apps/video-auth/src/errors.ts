import { type VideoAuthErrorCode } from '@waggle/contracts';
import { ServiceError } from '@waggle/service';

/** Thrown if no Hive node answers. */
export const chainUnavailable: VideoAuthErrorCode = 'chain-unavailable';

/** A refusal with a code of this service's own interface. */
export class VideoAuthError extends ServiceError {
  constructor(
    override readonly code: VideoAuthErrorCode,
    message: string,
    details?: ServiceError['details'],
  ) {
    super(code, message, details);
  }
}

/** Which fault a token has would only help a forger. */
export function noValidToken(): VideoAuthError {
  return new VideoAuthError('unauthenticated', 'no valid token');
}

export function noSuchAccount(): VideoAuthError {
  return new VideoAuthError('account-not-found', 'there is no such account');
}
