import { type RpcError, type UpstreamErrorKind } from '@waggle/contracts';

/**
 * The use of the cache, as the header `X-Gateway-Cache` says:
 * - `hit`: from the cache, and still fresh
 * - `miss`: from a node; it may be cached now
 * - `coalesced`: from a node that an identical call had already queried
 * - `stale`: from the cache after it expired, because all nodes failed
 * - `bypass`: not cacheable
 */
export type CacheOutcome = 'hit' | 'miss' | 'coalesced' | 'stale' | 'bypass';

/**
 * The source of the content of a response, as the header `X-Gateway-Source` says:
 * - `index`: from the index of this service
 * - `upstream`: from a node, also if none responded
 * - `cache`: from a node, earlier
 * - `gateway`: from no source, such as the error for an unknown method
 */
export type ResponseSource = 'index' | 'upstream' | 'cache' | 'gateway';

/**
 * How a call ended, for metrics. `rejected`: with an error in the call itself; `not-served`: no node has the method;
 * `too-long`: the response exceeded a limit; `index-incomplete`: the index cannot answer, and the call could not be
 * forwarded to a node that has the method.
 */
export type CallOutcome =
  | 'result'
  | 'rejected'
  | 'not-served'
  | 'index-incomplete'
  | 'node-error'
  | 'internal-error'
  | 'too-long'
  | UpstreamErrorKind;

/** The state of the index at the time of a response. */
export interface IndexPosition {
  /** The response contains the effects of this block, and maybe of later ones. */
  readonly block: number;
  readonly lagSeconds: number;
}

/** The response to a call, without its id. */
export interface RpcResponse {
  /** The JSON text of its one member besides the id: `"result":…` or `"error":…`. */
  readonly member: string;
  /** The other parts of a long member. */
  readonly rest?: readonly string[];
  /** The HTTP status with which a node rejected the request for a path. */
  readonly status?: number;
  readonly source: ResponseSource;
  /** Only if the source is the index. */
  readonly index?: IndexPosition;
  readonly cache: CacheOutcome;
  /** Number of requests that were sent to nodes for the response. */
  readonly attempts: number;
  /** Time since the response was cached, in seconds; undefined unless it comes from the cache. */
  readonly ageSeconds: number | undefined;
  readonly outcome: CallOutcome;
  /** Whether its bytes count against the budget of the request already. */
  readonly isCounted?: true;
  /** Bytes of a result that was made, or measured, but is too long to be sent. The client is charged for them too. */
  readonly unsentBytes?: number;
}

/** A response that the gateway makes itself, without a node. */
export function gatewayResponse(member: string, outcome: CallOutcome): RpcResponse {
  return { member, source: 'gateway', cache: 'bypass', attempts: 0, ageSeconds: undefined, outcome };
}

export function errorMember({ code, message, data }: RpcError): string {
  return `"error":${JSON.stringify({ code, message, data })}`;
}
