import { type CallKind } from './call-kind';
import { type ByteBudget } from './http/http-request';
import { type ReadResponse } from './node-reply';

/** What a call is for. Each purpose has connections of its own, so its calls do not wait behind calls of another. */
export type CallPurpose = 'read' | 'list' | 'write' | 'post' | 'probe';

/** A request for a path of the node's origin, such as of a REST API beside JSON-RPC. */
export interface PathRequest {
  readonly httpMethod: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  /** JSON; null for GET. */
  readonly body: string | null;
  /** Path of the API itself, from which the node is asked whether it has the API at all if it lacks the target. */
  readonly apiRoot: string;
}

/** A method, the JSON text of its parameters, and how its response is read. */
export interface NodeCall<Result, RpcError> {
  /** The JSON-RPC method, or the name of the API that a path belongs to. */
  readonly method: string;
  readonly paramsText: string | undefined;
  /** Is sent instead of a JSON-RPC call. `readResponse` then reads responses of any status. */
  readonly pathRequest?: PathRequest | undefined;
  /** The kind that the node's health is tracked by. */
  readonly kind: CallKind;
  readonly purpose: CallPurpose;
  readonly readResponse: ReadResponse<Result, RpcError>;
  /** Limits the response further than `maxResponseBytes`. */
  readonly budget?: ByteBudget | undefined;
  /** Time limit at one node; without it only cancellation ends the call. */
  readonly timeoutMs?: number | undefined;
}

/** Whether the node may have executed the call even if there is no response, so that it must not be repeated. */
export function isSentOnce({ purpose }: Pick<NodeCall<unknown, unknown>, 'purpose'>): boolean {
  return purpose === 'write' || purpose === 'post';
}
