/** A response in the cache. Times are wall-clock times, since instances share the cache in Redis. */
export interface CachedResponse {
  /** The member `"result":…` of the JSON-RPC response, exactly as the node sent it. */
  readonly member: string;
  readonly storedAtMs: number;
  /** The response is fresh only while this block is the head; undefined if it does not depend on the head block. */
  readonly headBlock: number | undefined;
  readonly freshUntilMs: number;
  /** Until when it may be served if all nodes fail. */
  readonly staleUntilMs: number;
}

export function isFresh({ freshUntilMs, headBlock }: CachedResponse, currentHeadBlock: number, nowMs: number): boolean {
  return nowMs < freshUntilMs && (headBlock === undefined || headBlock === currentHeadBlock);
}

/** Whole seconds since it was stored, for the header `Age`. */
export function ageSeconds({ storedAtMs }: CachedResponse, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - storedAtMs) / 1_000));
}
