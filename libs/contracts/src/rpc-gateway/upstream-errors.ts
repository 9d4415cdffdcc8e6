import { RpcError, rpcErrorCodes } from './rpc-error';

/**
 * Why a call to a node has no result:
 * - `timeout`: no response within the time limit of the route
 * - `unreachable`: no connection, or it was lost
 * - `bad-response`: not a response to this call
 * - `overloaded`: the node reports it, or too many calls are waiting for it
 */
export const upstreamErrorKinds = ['timeout', 'unreachable', 'bad-response', 'overloaded'] as const;
export type UpstreamErrorKind = (typeof upstreamErrorKinds)[number];

const messages: Readonly<Record<UpstreamErrorKind, string>> = {
  timeout: 'Upstream timeout',
  unreachable: 'Upstream unreachable',
  'bad-response': 'Bad upstream response',
  overloaded: 'Upstream overloaded',
};

/** An error as `{code: -32603, message, data: {kind}}`, which Hive's clients attribute to the node and not to their call. */
export function upstreamError(kind: UpstreamErrorKind): RpcError {
  return new RpcError(rpcErrorCodes.internalError, messages[kind], { kind });
}
