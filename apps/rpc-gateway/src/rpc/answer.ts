import { type RpcError, type UpstreamFaultKind } from '@waggle/contracts';

/**
 * Where an answer comes from, as the header `X-Gateway-Cache` says:
 * - `hit`: it was kept, and nothing newer is known
 * - `miss`: from a node; it may be kept now
 * - `coalesced`: from a node, which another call for the same asked
 * - `stale`: it was kept too long, and no node has one
 * - `bypass`: nothing of the kind is kept
 */
export type CacheOutcome = 'hit' | 'miss' | 'coalesced' | 'stale' | 'bypass';

/** How a call ended, for metrics. `refused`: by an error that is about the call; `too-long`: for want of room. */
export type CallOutcome = 'result' | 'refused' | 'node-error' | 'internal-error' | 'too-long' | UpstreamFaultKind;

/** The answer to a call, but for its id. */
export interface Answer {
  /** `"result":…` or `"error":…` */
  readonly member: string;
  readonly cache: CacheOutcome;
  /** How many times a node was asked for it. */
  readonly attempts: number;
  /** Of what was kept. */
  readonly ageSeconds: number | undefined;
  readonly outcome: CallOutcome;
}

/** An answer that no node was asked for. */
export function ownAnswer(member: string, outcome: CallOutcome): Answer {
  return { member, cache: 'bypass', attempts: 0, ageSeconds: undefined, outcome };
}

export function memberOfError({ code, message, data }: RpcError): string {
  return `"error":${JSON.stringify({ code, message, data })}`;
}
