import { type ServerResponse } from 'node:http';
import { type BudgetRejection, type ResponseAllowance } from './response-budget';

/** Limits the bytes per second of the client of a stream. */
export interface StreamRateLimiter {
  charge: (bytes: number) => void;
  /** Milliseconds until the client may receive more; 0 if it may now. */
  waitMs: () => number;
}

/**
 * A response without an end, such as a stream of events. What its client has not read yet counts against its allowance.
 */
export class StreamedResponse {
  constructor(
    private readonly response: ServerResponse,
    private readonly allowance: Pick<ResponseAllowance, 'take' | 'giveBack'>,
    private readonly rateLimiter: StreamRateLimiter,
  ) {}

  /** Whether the client is behind, so that nothing should be written before `onDrained`. */
  get isFull(): boolean {
    return this.response.writableNeedDrain;
  }

  /**
   * How long to wait before reading what the client missed, in milliseconds; 0 for not at all. New events do not wait.
   */
  get waitMs(): number {
    return this.rateLimiter.waitMs();
  }

  /** Writes the text if it fits into the budget. @returns the reason if it does not */
  write(text: string): BudgetRejection | undefined {
    const bytes = Buffer.byteLength(text);
    const rejection = this.allowance.take(bytes);
    if (rejection !== undefined) return rejection;
    this.rateLimiter.charge(bytes);
    this.response.write(text, () => {
      this.allowance.giveBack(bytes);
    });
    return undefined;
  }

  /** Calls the listener once, when the client has read what was written. */
  onDrained(listener: () => void): void {
    this.response.once('drain', listener);
  }

  /** Calls the listener once, when the connection is closed or the response ends. */
  onClosed(listener: () => void): void {
    if (this.response.closed) setImmediate(listener);
    else this.response.once('close', listener);
  }

  /** Ends the response after what was written, and then the connection. */
  end(text = ''): void {
    this.response.end(text);
  }

  /** Closes the connection at once. */
  cut(): void {
    this.response.destroy();
  }
}
