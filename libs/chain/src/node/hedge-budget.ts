/** Maximum burst of hedges. */
const maxTokens = 10;

/** Limits hedges to a share of the reads, so that slow nodes do not get twice the load. */
export class HedgeBudget {
  private tokens = maxTokens;

  constructor(private readonly percent: number) {}

  countRead(): void {
    this.tokens = Math.min(this.tokens + this.percent / 100, maxTokens);
  }

  /** Takes a hedge, if one is left. @returns whether it did */
  take(): boolean {
    if (this.percent === 0 || this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
