import { RpcError, rpcErrorCodes } from './rpc-error';

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
