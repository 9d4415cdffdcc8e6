import { setTimeout as delay } from 'node:timers/promises';
import { type ThrottledLog } from '@waggle/service';

/** Repeats a step in the background until it is stopped. */
export class BackgroundTask {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  /**
   * @param step returns the pause before the next step, in milliseconds; undefined ends the task
   * @param failures logs the errors of steps
   * @param retryMs the pause after a step that failed
   */
  constructor(
    private readonly step: () => Promise<number | undefined>,
    private readonly failures: Pick<ThrottledLog, 'log'>,
    private readonly retryMs: number,
  ) {}

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Begins after a pause. Resolves when the task ends; never rejects. */
  start(delayMs = 0): Promise<void> {
    this.running = this.run(delayMs);
    return this.running;
  }

  /** Waits for the current step. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Waits, but no longer than until the task is stopped. */
  async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => {
      // Aborted by `stop`.
    });
  }

  private async run(delayMs: number): Promise<void> {
    let pauseMs: number | undefined = delayMs;
    while (pauseMs !== undefined) {
      await this.pause(pauseMs);
      if (this.isStopping) return;
      pauseMs = await this.tryStep();
    }
  }

  private async tryStep(): Promise<number | undefined> {
    try {
      return await this.step();
    } catch (error) {
      this.failures.log(error);
      return this.retryMs;
    }
  }
}
