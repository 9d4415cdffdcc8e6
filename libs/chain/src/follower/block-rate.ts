/**
 * Period over which the rate is measured: long enough to even out batches, short enough to follow a change of the
 * nodes' speed.
 */
const windowMs = 30_000;

interface Applied {
  readonly atMs: number;
  readonly blocks: number;
}

/** Measures how fast blocks were applied in the last half minute. */
export class BlockRate {
  private applied: Applied[] = [];
  private startedMs: number;

  /** @param now milliseconds that never go back; only tests need another clock */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.startedMs = now();
  }

  /** Begins to measure, such as when the follower becomes the leader. */
  start(): void {
    this.startedMs = this.now();
    this.applied = [];
  }

  add(blocks: number): void {
    this.applied.push({ atMs: this.now(), blocks });
  }

  get perSecond(): number {
    const nowMs = this.now();
    const sinceMs = Math.max(this.startedMs, nowMs - windowMs);
    this.applied = this.applied.filter(({ atMs }) => atMs > sinceMs);
    const blocks = this.applied.reduce((sum, each) => sum + each.blocks, 0);
    return nowMs > sinceMs ? (blocks * 1_000) / (nowMs - sinceMs) : 0;
  }
}
