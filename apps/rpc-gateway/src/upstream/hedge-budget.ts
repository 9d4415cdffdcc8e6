/** So many hedges may come in a row, where there were reads enough before. */
const mostTokens = 10;

/** Lets a share of the reads be hedged, so that nodes that are all slow are not asked twice as much as before. */
export class HedgeBudget {
  private tokens = mostTokens;

  constructor(private readonly percent: number) {}

  countRead(): void {
    this.tokens = Math.min(this.tokens + this.percent / 100, mostTokens);
  }

  /** Whether one more may be. */
  take(): boolean {
    if (this.percent === 0 || this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
