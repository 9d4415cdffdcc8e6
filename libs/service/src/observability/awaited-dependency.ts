import { setTimeout as pause } from 'node:timers/promises';
import { type Logger } from './logging';
import { kindOfError, ThrottledLog } from './throttled-log';

/** A server that a service needs, such as PostgreSQL. */
export interface Dependency {
  /** As in the report of `/health/ready`. */
  readonly name: string;
  /** Resolves if the server responds, even with an error; otherwise rejects with the reason, within seconds. */
  readonly check: () => Promise<unknown>;
}

/** Pause between two checks, in milliseconds. */
const retryPauseMs = 500;
/** Interval at which the log says that there is no response, in milliseconds. */
const logPeriodMs = 10_000;

/**
 * Waits for the first response of a dependency, and logs every 10 s that there is none. After that response it counts
 * as available, whatever happens later.
 */
export class AwaitedDependency {
  readonly name: string;
  private isAvailable = false;
  private wasMissing = false;
  /** The running check, shared by concurrent callers. */
  private running: Promise<void> | undefined;
  private readonly stopped = new AbortController();
  private readonly missing: ThrottledLog;

  constructor(
    private readonly dependency: Dependency,
    private readonly logger: Logger,
  ) {
    const { name } = dependency;
    this.name = name;
    const logMissing = (leftOut: number, error: unknown): void => {
      logger.warn(
        { dependency: name, leftOut, reason: kindOfError(error).trim() },
        'waiting for a dependency to respond',
      );
    };
    this.missing = new ThrottledLog(logMissing, { periodMs: logPeriodMs });
  }

  get hasResponded(): boolean {
    return this.isAvailable;
  }

  /** Calls the dependency, unless it responded before. Rejects with the reason, which is logged. */
  readonly check = async (): Promise<void> => {
    if (this.isAvailable) return;
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

  /** Ends `wait`, and the log. */
  stop(): void {
    this.stopped.abort();
  }

  private async checkNow(): Promise<void> {
    try {
      await this.dependency.check();
    } catch (error) {
      this.wasMissing = true;
      if (!this.stopped.signal.aborted) this.missing.log(error);
      throw error;
    }
    this.isAvailable = true;
    if (this.wasMissing) this.logger.info({ dependency: this.name }, 'the dependency responds');
  }
}
