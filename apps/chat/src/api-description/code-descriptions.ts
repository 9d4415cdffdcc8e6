import { type CloseReason, type FrameErrorCode } from '@waggle/contracts';
import { authenticationDeadlineDefaultSeconds } from '../realtime/realtime-settings';

/** Why each error occurs, for the API description. */
export const frameErrorDescriptions: Record<FrameErrorCode, string> = {
  'invalid-frame':
    'The frame is not a JSON object of the form `{type, payload}`, or its payload does not match the schema.',
  'unknown-type': 'There is no such type of frame.',
  unauthenticated: 'The connection must authenticate first.',
  forbidden: 'The account may not do this.',
  'not-found': 'The subject does not exist, or the account may not see it; the two are not distinguished.',
  'account-not-found': 'There is no such account on the chain.',
  blocked: 'One of the two accounts blocks the other.',
  'friends-only': 'The account accepts direct messages, and being added to groups and channels, from friends only.',
  'too-large': 'A text, name or group, or the number of different reactions, exceeds its limit.',
  'rate-limited': 'Too many frames; `retry_after_ms` says when to retry.',
  conflict: 'Nothing would change, or the `client_id` belongs to another message or group.',
  'too-late': 'The message is too old to edit.',
  unavailable:
    'The service or something that it depends on cannot handle this now; a retry can help. The change may have been made.',
};

/** Why the service closes connections, for the API description. */
export const closeDescriptions: Record<CloseReason, string> = {
  tooManyMalformedFrames: 'Too many malformed frames.',
  notAuthenticatedInTime: `Not authenticated in time: within ${authenticationDeadlineDefaultSeconds} s unless configured otherwise.`,
  authenticationFailed: 'Authentication failed; `status` with `authenticated: false` was sent before.',
  rateLimited: 'Too many frames or connections: reconnect later.',
  authenticationExpired: 'The authentication has expired.',
  sessionRevoked: 'The session was ended: log in again.',
  unavailable: 'Missed frames cannot be read now: reconnect later with the same cursor.',
  consumerTooSlow: 'The client does not read fast enough.',
  frameTooLarge: 'A frame was too large.',
  draining: 'This instance is stopping: reconnect.',
};
