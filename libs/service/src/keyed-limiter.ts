import { ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter';

/** A `ConcurrencyLimiter` for each key that has tasks. */
export class KeyedLimiter {
  private readonly limiters = new Map<string, ConcurrencyLimiter>();

  /** @param rejection makes the error of a task that finds the queue of its key full or waits too long */
  constructor(
    private readonly limits: ConcurrencyLimits,
    private readonly rejection: () => Error,
  ) {}

  /** How many keys have tasks. */
  get size(): number {
    return this.limiters.size;
  }

  /** Runs the task when it is its turn. @throws Error the `rejection` if its turn does not come, and what the task throws */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const limiter = this.limiters.get(key) ?? new ConcurrencyLimiter(this.limits, this.rejection);
    this.limiters.set(key, limiter);
    try {
      return await limiter.run(task);
    } finally {
      if (limiter.isIdle) this.limiters.delete(key);
    }
  }
}
