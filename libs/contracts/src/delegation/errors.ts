/**
 * The codes of REST errors of the delegation service, each with its HTTP status. `before-history`, `not-synced`: there is
 * nothing to tell of that block, not any more or not yet.
 */
export const delegationRestErrors = {
  'invalid-request': 400,
  'before-history': 404,
  'not-synced': 404,
  'rate-limited': 429,
  unavailable: 503,
} as const;
export type DelegationRestErrorCode = keyof typeof delegationRestErrors;
