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
