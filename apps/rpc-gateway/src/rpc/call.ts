import { type PathRequest } from '@waggle/chain';
import { type RpcError } from '@waggle/contracts';
import { type RequestByteBudget } from './request-byte-budget';

/**
 * One call, as it is routed: the method `call` with `[namespace, query, params]` becomes `<namespace>.<query>`. A
 * request for a path is a call too.
 */
export interface Call {
  /** The JSON text of its id, unchanged; undefined for a JSON-RPC notification, which gets no response. */
  readonly id: string | undefined;
  /** `<namespace>.<query>`; for a path, the name of its row in the route table. */
  readonly method: string;
  /** An object, an array, or undefined. */
  readonly params: object | undefined;
  /**
   * The JSON text of `params`, with unchanged numbers, even if JavaScript cannot represent them. For a path, what
   * distinguishes the request from others of its row.
   */
  readonly paramsText: string | undefined;
  /** Whether the client used the method `call`: local methods then check the number of parameters by other rules. */
  readonly isViaCall: boolean;
  /** What is sent to a node for a path. */
  readonly pathRequest?: PathRequest;
  /** Shared by all calls of one request. */
  readonly budget: RequestByteBudget;
}

/** An item of a body that is not a valid call. */
export interface InvalidCall {
  /** `null` if the item has no readable id. */
  readonly id: string;
  readonly error: RpcError;
}
