/**
 * The codes of REST errors of the gateway, each with its HTTP status. `index-incomplete`: the index lacks blocks that
 * notifications depend on; `no-digest`: there is no digest of the block.
 */
export const gatewayRestErrors = {
  'invalid-request': 400,
  'no-digest': 404,
  'rate-limited': 429,
  'index-incomplete': 503,
  unavailable: 503,
} as const;
export type GatewayRestErrorCode = keyof typeof gatewayRestErrors;
