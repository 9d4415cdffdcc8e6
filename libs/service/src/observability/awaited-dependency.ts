import { setTimeout as pause } from 'node:timers/promises';
import { type Logger } from './logging';
import { kindOfError, ThrottledLog } from './throttled-log';

/** A server that a service needs. */
export interface Dependency {
  /** As in the report of `/health/ready`. */
  readonly name: string;
  /** Resolves if the server responds, even with an error; otherwise rejects with the reason, within seconds. */
  readonly check: () => Promise<unknown>;
}

/** Pause between two checks, in milliseconds. */
const retryPauseMs = 500;
/** Interval at which a missing dependency is logged, in milliseconds. */
const logPeriodMs = 10_000;

/** Checks a dependency until it responds once, and logs every 10 s that it does not. Later failures do not count. */
export class AwaitedDependency {
  private responded = false;
  /** The running check, shared by concurrent callers. */
  private running: Promise<void> | undefined;
  private readonly stopped = new AbortController();
  private hasFailed = false;
  private readonly failures: ThrottledLog;

  constructor(
    private readonly dependency: Dependency,
    private readonly logger: Logger,
  ) {
    this.failures = new ThrottledLog(
      (leftOut, error) => {
        const reason = kindOfError(error).trim();
        logger.warn({ dependency: this.name, leftOut, reason }, 'waiting for a dependency to respond');
      },
      { periodMs: logPeriodMs },
    );
  }

  get name(): string {
    return this.dependency.name;
  }

  get hasResponded(): boolean {
    return this.responded;
  }

  /** Checks the dependency, unless it responded before. Rejects with the reason, which is logged. */
  check = async (): Promise<void> => {
    if (this.responded) return;
    this.running ??= this.checkNow().finally(() => (this.running = undefined));
    await this.running;
  };

  /** Resolves when the dependency responds, or after `stop`. */
  async wait(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      try {
        await this.check();
        return;
      } catch {
        await pause(retryPauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Ends `wait`. */
  stop(): void {
    this.stopped.abort();
  }

  private async checkNow(): Promise<void> {
    try {
      await this.dependency.check();
    } catch (error) {
      this.hasFailed = true;
      if (!this.stopped.signal.aborted) this.failures.log(error);
      throw error;
    }
    this.responded = true;
    if (this.hasFailed) this.logger.info({ dependency: this.name }, 'the dependency responds');
  }
}
