/** With which codes the service closes a connection, as far as we act on them. */
export const closeCodes = {
  authenticationFailed: 4004,
  authenticationExpired: 4009,
  sessionRevoked: 4020,
  frameTooLarge: 1009,
} as const;

/** What browsers call a connection that ended without a code. */
export const abnormalClosure = 1006;
