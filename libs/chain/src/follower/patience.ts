import { FatalChainError } from './errors';
import { isOfNodes } from './faults';
import { Pauses } from './pauses';
import { pause, untilAborted } from './waiting';

export interface PatienceOptions {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  readonly signal: AbortSignal;
  /** Told of each fault that is waited for to pass. */
  readonly onFault: (error: unknown) => void;
}

/** What to do about faults of nodes in a row. */
export class Patience {
  private readonly pauses: Pauses;

  constructor(private readonly options: PatienceOptions) {
    this.pauses = new Pauses(options.firstPauseMs, options.longestPauseMs);
  }

  /**
   * Waits, longer each time.
   *
   * @param number of the block that was to be read
   * @throws FatalChainError if waiting is of no use; the reason of the signal if that is aborted
   */
  async wait(error: unknown, number: number): Promise<void> {
    const { signal, onFault } = this.options;
    signal.throwIfAborted();
    if (!isOfNodes(error)) {
      throw new FatalChainError(`Block ${number} cannot be read: ${messageOf(error)}`, { block: { number } }, error);
    }
    onFault(error);
    await pause(this.pauses.next(), signal);
    signal.throwIfAborted();
  }

  /** It went well. */
  end(): void {
    this.pauses.reset();
  }

  /** Asks until it goes well. Errors as of `wait`. */
  async ask<T>(number: number, question: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await untilAborted(question(), this.options.signal);
        this.end();
        return answer;
      } catch (error) {
        await this.wait(error, number);
      }
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
