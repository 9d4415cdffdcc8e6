import { RpcError, rpcErrorCodes } from './rpc-error';

/**
 * Why a call to a node has no result:
 * - `timeout`: no response within the time limit of the route
 * - `unreachable`: no connection, or it was lost
 * - `bad-response`: not a response to this call
 * - `overloaded`: the node reports it, or too many calls are waiting for it
 */
export const upstreamFaultKinds = ['timeout', 'unreachable', 'bad-response', 'overloaded'] as const;
export type UpstreamFaultKind = (typeof upstreamFaultKinds)[number];

const messages: Readonly<Record<UpstreamFaultKind, string>> = {
  timeout: 'Upstream timeout',
  unreachable: 'Upstream unreachable',
  'bad-response': 'Bad upstream response',
  overloaded: 'Upstream overloaded',
};

/** An error as `{code: -32603, message, data: {kind}}`, which Hive's clients attribute to the node and not to their call. */
export function upstreamFault(kind: UpstreamFaultKind): RpcError {
  return new RpcError(rpcErrorCodes.internalError, messages[kind], { kind });
}
