/** An answer that may be given again. Times are of the clock on the wall, since instances share answers. */
export interface KeptAnswer {
  /** `"result":…`, as the node wrote it. */
  readonly member: string;
  readonly storedAtMs: number;
  /** Fresh only while this is the head of the chain; undefined where it does not depend on it. */
  readonly head: number | undefined;
  readonly freshUntilMs: number;
  /** Until when it may be given in the place of an error. */
  readonly staleUntilMs: number;
}

export function isFresh({ freshUntilMs, head }: KeptAnswer, headBlock: number, nowMs: number): boolean {
  return nowMs < freshUntilMs && (head === undefined || head === headBlock);
}

/** Whole seconds since it was stored, as the header `Age` says it. */
export function ageSeconds({ storedAtMs }: KeptAnswer, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - storedAtMs) / 1_000));
}
