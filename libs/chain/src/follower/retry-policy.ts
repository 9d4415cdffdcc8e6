import { FatalChainError } from './errors';
import { isOfNodes } from './error-kinds';
import { Backoff } from './backoff';
import { pause, untilAborted } from './abortable';

export interface RetryOptions {
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  readonly signal: AbortSignal;
  /** Called with each error before the pause. */
  readonly onError: (error: unknown) => void;
}

/** Retries calls to nodes with growing pauses, and stops at errors that a retry cannot resolve. */
export class RetryPolicy {
  private readonly backoff: Backoff;

  constructor(private readonly options: RetryOptions) {
    this.backoff = new Backoff(options.firstPauseMs, options.maxPauseMs);
  }

  /**
   * Waits before the next attempt, longer each time.
   *
   * @param number of the block that was to be read
   * @throws FatalChainError if the error is not retryable; the reason of the signal if that is aborted
   */
  async waitAfter(error: unknown, number: number): Promise<void> {
    const { signal, onError } = this.options;
    signal.throwIfAborted();
    if (!isOfNodes(error)) {
      throw new FatalChainError(`Block ${number} cannot be read: ${messageOf(error)}`, { block: { number } }, error);
    }
    onError(error);
    await pause(this.backoff.nextMs(), signal);
    signal.throwIfAborted();
  }

  /** Resets the pauses after a success. */
  succeed(): void {
    this.backoff.reset();
  }

  /** Repeats an attempt until it succeeds. Errors as of `waitAfter`. */
  async run<T>(number: number, attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await untilAborted(attempt(), this.options.signal);
        this.succeed();
        return result;
      } catch (error) {
        await this.waitAfter(error, number);
      }
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
