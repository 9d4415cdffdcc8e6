/** Hedges that may follow one another at once, if there were enough reads before. */
const maxTokens = 10;

/** Allows a share of the reads to be hedged, so that a slow node, or nodes that are all slow, are not asked twice as much. */
export class HedgeBudget {
  private tokens = maxTokens;

  constructor(private readonly percent: number) {}

  countRead(): void {
    this.tokens = Math.min(this.tokens + this.percent / 100, maxTokens);
  }

  /** Whether one more read may be hedged; it then counts. */
  take(): boolean {
    if (this.percent === 0 || this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
