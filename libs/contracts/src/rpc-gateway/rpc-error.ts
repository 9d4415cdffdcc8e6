/**
 * The codes of JSON-RPC 2.0, and the one that servers of other chains use for a rate limit. Hive's clients also compare
 * the message, since a code has many meanings.
 */
export const rpcErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  limitExceeded: -32005,
} as const;

/** An error of a call, sent as `{code, message, data}`. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  /**
   * @param message sent to the caller, so it contains nothing secret
   * @param data sent to the caller as well, if defined
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

/** The `data.kind` of the error for a call that the index cannot answer yet and that is not forwarded to a node. */
export const indexIncompleteKind = 'index-incomplete';

/** A requirement of a method that the index does not meet at the moment. */
export interface UnmetNeed {
  readonly need: string;
  /** A sentence for people. */
  readonly reason: string;
}

/**
 * An error `{code: -32603, message, data: {kind, unmet}}`. Clients treat it like a failed node, and try another
 * gateway.
 */
export function indexIncomplete(unmet: readonly UnmetNeed[]): RpcError {
  return new RpcError(rpcErrorCodes.internalError, 'The index is incomplete', { kind: indexIncompleteKind, unmet });
}
