/**
 * The codes of REST errors of the delegation service, each with its HTTP status. `before-history`, `not-synced`: the
 * block precedes the history, or is not indexed yet.
 */
export const delegationRestErrors = {
  'invalid-request': 400,
  'before-history': 404,
  'not-synced': 404,
  'rate-limited': 429,
  unavailable: 503,
} as const;
export type DelegationRestErrorCode = keyof typeof delegationRestErrors;
