/**
 * The codes of JSON-RPC 2.0, and the one that JSON-RPC servers of other chains use for a rate limit. Clients of Hive compare the
 * message besides: one code stands for many refusals.
 */
export const rpcErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  limitExceeded: -32005,
} as const;

/** A refusal or failure of one call, thrown once where the rule is known and answered as `{code, message, data}`. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  /**
   * @param message is told to the caller as it is, so it holds nothing secret
   * @param data is told too where there is any
   * @param options `cause`: for the log only
   */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
