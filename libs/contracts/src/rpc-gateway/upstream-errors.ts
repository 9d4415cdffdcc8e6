import { RpcError, rpcErrorCodes } from './rpc-error';

/**
 * Why a call has no result. For a client, the database and the nodes behind the methods of the gateway are upstream
 * too.
 * - `timeout`: no response within the time limit of the route
 * - `unreachable`: could not connect, or the connection was lost
 * - `bad-response`: any other failure, such as an HTTP error status or an invalid body
 * - `overloaded`: HTTP 429 or 503, or too many calls were waiting, so that this one was not sent
 *
 * After the first three a node may have accepted a write, so a client checks the chain before it sends the write again.
 */
export const upstreamErrorKinds = ['timeout', 'unreachable', 'bad-response', 'overloaded'] as const;
export type UpstreamErrorKind = (typeof upstreamErrorKinds)[number];

const messages: Readonly<Record<UpstreamErrorKind, string>> = {
  timeout: 'Upstream timeout',
  unreachable: 'Upstream unreachable',
  'bad-response': 'Bad upstream response',
  overloaded: 'Upstream overloaded',
};

/**
 * An error `{code: -32603, message, data: {kind}}`. Hive's clients take it for an error of the node, not of their call.
 */
export function upstreamError(kind: UpstreamErrorKind): RpcError {
  return new RpcError(rpcErrorCodes.internalError, messages[kind], { kind });
}
