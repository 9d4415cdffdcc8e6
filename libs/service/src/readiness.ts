/** The check of a dependency; rejects or throws if it cannot be used. */
export interface ReadinessCheck {
  name: string;
  check: () => Promise<unknown>;
}

export interface ReadinessReport {
  ready: boolean;
  draining: boolean;
  checks: Record<string, 'up' | 'down'>;
  /** Further details of the service, which do not affect readiness. */
  [detail: string]: unknown;
}

export interface ReadinessOptions {
  /** Within which a dependency must respond. */
  readonly deadlineMs?: number;
  readonly details?: () => Readonly<Record<string, unknown>>;
}

/**
 * Whether this instance should receive requests: every dependency responds within the deadline, and it is not draining.
 */
export class Readiness {
  private draining = false;
  /** The running probe, shared by concurrent requests. */
  private running: Promise<(readonly [string, 'up' | 'down'])[]> | undefined;

  private readonly deadlineMs: number;
  private readonly details: () => Readonly<Record<string, unknown>>;

  constructor(
    private readonly checks: readonly ReadinessCheck[],
    { deadlineMs = 1_000, details = () => ({}) }: ReadinessOptions = {},
  ) {
    this.deadlineMs = deadlineMs;
    this.details = details;
  }

  /** Makes the instance unready, since it shuts down. */
  startDraining() {
    this.draining = true;
  }

  get isDraining() {
    return this.draining;
  }

  async report(): Promise<ReadinessReport> {
    this.running ??= this.probe().finally(() => (this.running = undefined));
    const states = await this.running;
    return {
      ...this.details(),
      ready: !this.draining && states.every(([, state]) => state === 'up'),
      draining: this.draining,
      checks: Object.fromEntries(states),
    };
  }

  private probe() {
    return Promise.all(this.checks.map(async ({ name, check }) => [name, await this.stateOf(check)] as const));
  }

  private async stateOf(check: () => Promise<unknown>): Promise<'up' | 'down'> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<'down'>((resolve) => {
      timer = setTimeout(resolve, this.deadlineMs, 'down');
    });
    try {
      return await Promise.race([check().then(() => 'up' as const), deadline]);
    } catch {
      return 'down';
    } finally {
      clearTimeout(timer);
    }
  }
}
