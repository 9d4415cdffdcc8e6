/** The codes of REST errors of the video log-in, each with its HTTP status. */
export const videoAuthRestErrors = {
  'invalid-request': 400,
  'account-mismatch': 400,
  'account-not-found': 400,
  'unsupported-network': 400,
  'challenge-required': 400,
  'invalid-signature': 401,
  'proof-expired': 401,
  'proof-replayed': 401,
  'invalid-challenge': 401,
  unauthenticated: 401,
  'not-found': 404,
  'rate-limited': 429,
  'chain-unavailable': 503,
  unavailable: 503,
} as const;
export type VideoAuthErrorCode = keyof typeof videoAuthRestErrors;
