export type CheckState = 'up' | 'down';

/** The check of a dependency; rejects or throws if it cannot be used. */
export interface ReadinessCheck {
  name: string;
  check: () => Promise<unknown>;
}

export interface ReadinessReport {
  ready: boolean;
  draining: boolean;
  checks: Record<string, CheckState>;
  /** Further details of the service, which do not affect readiness. */
  [detail: string]: unknown;
}

export interface ReadinessOptions {
  /** Maximum time that a dependency may take to respond, in milliseconds; default 1,000. */
  readonly deadlineMs?: number;
  /**
   * Whether the instance can serve with these states, once every dependency was up; by default only if all are. An
   * outage of a dependency that all instances share makes all of them unready, so that nothing is served.
   */
  readonly canServe?: (checks: Readonly<Record<string, CheckState>>) => boolean;
}

/**
 * Whether this instance should receive requests: it is not draining, every dependency responded once within the
 * deadline, and the ones that it needs to serve do so now.
 */
export class Readiness {
  private draining = false;
  /** The running probe, shared by concurrent requests. */
  private running: Promise<Record<string, CheckState>> | undefined;
  /** The names of the dependencies that were up. */
  private readonly seenUp = new Set<string>();

  private readonly checks: ReadinessCheck[];
  private readonly details = new Map<string, () => unknown>();

  constructor(
    checks: readonly ReadinessCheck[],
    private readonly options: ReadinessOptions = {},
  ) {
    this.checks = [...checks];
  }

  /** Adds the check of another dependency. */
  add(check: ReadinessCheck): void {
    this.checks.push(check);
  }

  /** Adds a field of the report that does not affect readiness; null if it throws. */
  addDetail(name: string, detail: () => unknown): void {
    this.details.set(name, detail);
  }

  /** Makes the instance unready, since it shuts down. */
  startDraining(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  async report(): Promise<ReadinessReport> {
    const { canServe = areAllUp } = this.options;
    const checks = await this.probe();
    const hasStarted = this.checks.every(({ name }) => this.seenUp.has(name));
    return {
      ...Object.fromEntries([...this.details].map(([name, detail]) => [name, valueOf(detail)])),
      ready: !this.draining && hasStarted && canServe(checks),
      draining: this.draining,
      checks,
    };
  }

  /** Checks every dependency now. */
  async probe(): Promise<Record<string, CheckState>> {
    this.running ??= this.checkAll().finally(() => (this.running = undefined));
    return this.running;
  }

  private async checkAll(): Promise<Record<string, CheckState>> {
    const states = await Promise.all(
      this.checks.map(async ({ name, check }) => [name, await this.stateOf(check)] as const),
    );
    for (const [name, state] of states) if (state === 'up') this.seenUp.add(name);
    return Object.fromEntries(states);
  }

  private async stateOf(check: () => Promise<unknown>): Promise<CheckState> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<'down'>((resolve) => {
      timer = setTimeout(resolve, this.options.deadlineMs ?? 1_000, 'down');
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

/** Returns the value of a detail; null if it throws, so that the rest is reported. */
function valueOf(detail: () => unknown): unknown {
  try {
    return detail();
  } catch {
    return null;
  }
}

function areAllUp(checks: Readonly<Record<string, CheckState>>): boolean {
  return Object.values(checks).every((state) => state === 'up');
}
