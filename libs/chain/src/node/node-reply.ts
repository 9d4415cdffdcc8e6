import { type HttpResponse } from './http/http-request';
import { type CallFailureDetail, type NodeFailure, type NodeFailureKind } from './errors';

/**
 * The reply of a node to a call:
 * - `result`
 * - `rejected`: an error that another node would give as well: of JSON-RPC, or of a REST API
 * - `not-served`: the node has no such API or method; another may
 * - `node-error`: a JSON-RPC error caused by the node, not by the call
 * - `over-budget`: the response did not fit the budget of the caller
 * - `failed`: no valid response
 */
export type NodeReply<Result = unknown, RpcError = unknown> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'rejected' | 'not-served' | 'node-error'; readonly error: RpcError }
  | { readonly kind: 'over-budget' }
  | FailedReply;

export interface FailedReply {
  readonly kind: 'failed';
  readonly failure: CallFailureDetail;
  readonly cause: FailureCause;
  /** Whether the node may have received the call. */
  readonly wasSent: boolean;
}

/**
 * What a failed call says about the node:
 * - `node`: the node would fail any call
 * - `unclear`: a call may be made to take long, and a connection may be closed while it is idle
 * - `call`: the call is at fault, such as by too large a response
 * - `cut-short`: the time for all attempts was over
 * - `superseded`: another node responded first
 */
export type FailureCause = 'node' | 'unclear' | 'call' | 'cut-short' | 'superseded';

/** Reads the body of a response to the call with this id. */
export type ReadResponse<Result, RpcError> = (
  body: Buffer,
  id: number,
  response: Pick<HttpResponse, 'status' | 'retryAfter'>,
) => NodeReply<Result, RpcError>;

/** A response that is not a valid one to the call. */
export function invalidResponse(kind: NodeFailureKind, detail?: string): FailedReply {
  return failed(detail === undefined ? { kind } : { kind, detail }, 'node', true);
}

export function failed(failure: CallFailureDetail, cause: FailureCause, wasSent: boolean): FailedReply {
  return { kind: 'failed', failure, cause, wasSent };
}

/** Why this node gave no result. */
export function failureOf({ node: { name: node }, reply }: { node: { name: string }; reply: NodeReply }): NodeFailure {
  if (reply.kind !== 'failed') return { node, kind: 'rejected' };
  const { kind, detail } = reply.failure;
  return { node, kind, ...(detail === undefined ? {} : { detail }) };
}
