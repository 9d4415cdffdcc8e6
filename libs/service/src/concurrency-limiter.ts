export interface ConcurrencyLimits {
  /** Most tasks that run at once. */
  maxRunning: number;
  /** Most tasks that wait for their turn; by default any number. */
  maxQueued?: number;
  /** Longest wait for a turn, in milliseconds; by default any time. */
  maxWaitMs?: number;
}

/**
 * A counting semaphore: runs a bounded number of tasks at once, the others in the order in which they came. A task that waited begins in
 * a turn of the event loop of its own, so that a queue of short tasks does not block the process.
 */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly queue: (() => void)[] = [];

  /** @param rejection makes the error of a task that finds the queue full or waits too long */
  constructor(
    private readonly limits: ConcurrencyLimits,
    private readonly rejection: () => Error,
  ) {}

  get isIdle(): boolean {
    return this.running === 0;
  }

  /** Runs the task when it is its turn. @throws Error the `rejection` if its turn does not come, and what the task throws */
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
      const begin = () => {
        clearTimeout(timer);
        setImmediate(resolve);
      };
      const giveUp = () => {
        this.queue.splice(this.queue.indexOf(begin), 1);
        reject(this.rejection());
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      this.queue.push(begin);
    });
  }
}
