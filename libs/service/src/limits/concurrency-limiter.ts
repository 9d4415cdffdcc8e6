export interface ConcurrencyLimits {
  /** Maximum number of concurrent tasks. */
  maxRunning: number;
  /** Maximum number of queued tasks; unlimited by default. */
  maxQueued?: number;
  /** Longest wait in the queue, in milliseconds; unlimited by default. */
  maxWaitMs?: number;
}

/**
 * A counting semaphore with a bounded FIFO queue. Unlike p-limit and async-sema it bounds the length of the queue and
 * the wait. A queued task begins in a separate turn of the event loop, so that many short tasks do not block the
 * process.
 */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly queue: (() => void)[] = [];

  /**
   * @param rejection creates the error of a task that finds the queue full or waits too long, if the limits bound these
   */
  constructor(
    private readonly limits: ConcurrencyLimits,
    private readonly rejection = () => new Error('too many tasks'),
  ) {}

  get isIdle(): boolean {
    return this.running === 0;
  }

  get hasQueued(): boolean {
    return this.queue.length > 0;
  }

  /**
   * Runs the task when a slot is free. @throws the `rejection` if the queue is full or the wait too long; and what the
   * task throws
   */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running >= this.limits.maxRunning) await this.turn();
    else this.running += 1;
    try {
      return await task();
    } finally {
      const next = this.queue.shift();
      // The slot passes to the next task, so `running` stays as it is.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  private turn(): Promise<void> {
    const { maxQueued = Infinity, maxWaitMs } = this.limits;
    return new Promise((resolve, reject) => {
      if (this.queue.length >= maxQueued) {
        reject(this.rejection());
        return;
      }
      const begin = (): void => {
        clearTimeout(timer);
        setImmediate(resolve);
      };
      const giveUp = (): void => {
        this.queue.splice(this.queue.indexOf(begin), 1);
        reject(this.rejection());
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      this.queue.push(begin);
    });
  }
}
