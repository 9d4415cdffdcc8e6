import { type VideoAuthErrorCode } from '@waggle/contracts';
import { CodedError } from '@waggle/service';

/** The code of the error if too few Hive nodes respond, or they disagree. */
export const chainUnavailable: VideoAuthErrorCode = 'chain-unavailable';

/** An error with a code of the video-auth API. */
export class VideoAuthError extends CodedError<VideoAuthErrorCode> {}

/** Returns the same error for every invalid token: details would only help to forge tokens. */
export function noValidToken(): VideoAuthError {
  return new VideoAuthError('unauthenticated', 'no valid token');
}

export function noSuchAccount(): VideoAuthError {
  return new VideoAuthError('account-not-found', 'there is no such account');
}
