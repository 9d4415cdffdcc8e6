/** A response in the cache. Times are wall-clock times, since instances share the cache. */
export interface CachedResponse {
  /** The member `"result":…` of the JSON-RPC response, exactly as the node sent it. */
  readonly member: string;
  readonly storedAtMs: number;
  /** Fresh only while this is the head block; undefined if the response does not depend on the head block. */
  readonly head: number | undefined;
  readonly freshUntilMs: number;
  /** Until when it may replace an error. */
  readonly staleUntilMs: number;
}

export function isFresh({ freshUntilMs, head }: CachedResponse, headBlock: number, nowMs: number): boolean {
  return nowMs < freshUntilMs && (head === undefined || head === headBlock);
}

/** Whole seconds since it was stored, for the header `Age`. */
export function ageSeconds({ storedAtMs }: CachedResponse, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - storedAtMs) / 1_000));
}
