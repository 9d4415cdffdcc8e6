import { type RpcError, type UpstreamFaultKind } from '@waggle/contracts';

/**
 * Where a response comes from, as the header `X-Gateway-Cache` says:
 * - `hit`: from the cache, and still fresh
 * - `miss`: from a node; it may be cached now
 * - `coalesced`: from a node that an identical call had already queried
 * - `stale`: from the cache after it expired, because no node responded
 * - `bypass`: not cacheable
 */
export type CacheOutcome = 'hit' | 'miss' | 'coalesced' | 'stale' | 'bypass';

/** How a call ended, for metrics. `refused`: with an error in the call itself; `too-long`: the response exceeded a limit. */
export type CallOutcome = 'result' | 'refused' | 'node-error' | 'internal-error' | 'too-long' | UpstreamFaultKind;

/** The response to a call, without its id. */
export interface RpcResponse {
  /** The JSON text of its one member besides the id: `"result":…` or `"error":…`. */
  readonly member: string;
  readonly cache: CacheOutcome;
  /** How many requests were sent to nodes for it. */
  readonly attempts: number;
  /** Undefined unless it comes from the cache. */
  readonly ageSeconds: number | undefined;
  readonly outcome: CallOutcome;
}

/** A response that the gateway makes itself, without a node. */
export function localResponse(member: string, outcome: CallOutcome): RpcResponse {
  return { member, cache: 'bypass', attempts: 0, ageSeconds: undefined, outcome };
}

export function errorMember({ code, message, data }: RpcError): string {
  return `"error":${JSON.stringify({ code, message, data })}`;
}
