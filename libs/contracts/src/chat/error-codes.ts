import { z } from 'zod';

/** The codes of `error` frames. */
export const frameErrorCode = z.enum([
  'invalid-frame',
  'unknown-type',
  'unauthenticated',
  'forbidden',
  'not-found',
  'account-not-found',
  'blocked',
  'friends-only',
  'too-large',
  'rate-limited',
  'conflict',
  'unavailable',
  // Only in reply to frames of the capability `rich`.
  'too-late',
]);
export type FrameErrorCode = z.infer<typeof frameErrorCode>;

/** The codes of REST errors of the chat service, each with its HTTP status. */
export const chatRestErrors = {
  'invalid-request': 400,
  unauthenticated: 401,
  'invalid-signature': 401,
  'proof-expired': 401,
  'proof-replayed': 401,
  'account-not-found': 401,
  'not-found': 404,
  'being-erased': 409,
  'rate-limited': 429,
  unavailable: 503,
} as const;

export type ChatRestErrorCode = keyof typeof chatRestErrors;

/**
 * Why the server closes a WebSocket. The key is sent as the reason of the close. 4000 to 4999 is the range for
 * applications (RFC 6455, section 7.4.2).
 */
export const closeCodes = {
  tooManyMalformedFrames: 4002,
  notAuthenticatedInTime: 4003,
  authenticationFailed: 4004,
  rateLimited: 4008,
  authenticationExpired: 4009,
  sessionRevoked: 4020,
  consumerTooSlow: 4021,
  frameTooLarge: 1009,
  draining: 1012,
  unavailable: 1013,
} as const;
export type CloseReason = keyof typeof closeCodes;
