import { RpcError, rpcErrorCodes } from './rpc-error';

/**
 * Why a call that is answered elsewhere has no answer:
 * - `timeout`: none within the time limit of the route
 * - `unreachable`: no connection, or it broke
 * - `bad-response`: something that is no answer to this call
 * - `overloaded`: the upstream says so, or too many calls wait for it already
 */
export const upstreamFaultKinds = ['timeout', 'unreachable', 'bad-response', 'overloaded'] as const;
export type UpstreamFaultKind = (typeof upstreamFaultKinds)[number];

const messages: Readonly<Record<UpstreamFaultKind, string>> = {
  timeout: 'Upstream timeout',
  unreachable: 'Upstream unreachable',
  'bad-response': 'Bad upstream response',
  overloaded: 'Upstream overloaded',
};

/** As `{code: -32603, message, data: {kind}}`, which Hive's clients take for trouble of a node and not of their call. */
export function upstreamFault(kind: UpstreamFaultKind): RpcError {
  return new RpcError(rpcErrorCodes.internalError, messages[kind], { kind });
}
