import { RateLimitExceeded } from '../rate-limits/rate-limit-exceeded';

/**
 * How long a resume waits for those of other connections of its account, in milliseconds: less than the 10 s after which clients
 * give up a connection that brings nothing.
 */
const maxWaitMs = 5_000;

/** Lets one resume of each account run at a time at this instance; others wait in the order in which they came. */
export class ResumeQueue {
  /** The accounts of which a resume runs, and how to let those run that wait. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly waitMs = maxWaitMs) {}

  /** @throws RateLimitExceeded if it would have to wait too long */
  async run(account: string, work: () => Promise<void>): Promise<void> {
    await this.enter(account);
    try {
      await work();
    } finally {
      this.leave(account);
    }
  }

  private async enter(account: string): Promise<void> {
    const queue = this.waiting.get(account);
    if (queue === undefined) {
      this.waiting.set(account, []);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(begin), 1);
        reject(new RateLimitExceeded('other connections of the account are resuming', this.waitMs));
      }, this.waitMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      queue.push(begin);
    });
  }

  private leave(account: string) {
    const next = this.waiting.get(account)?.shift();
    if (next === undefined) this.waiting.delete(account);
    else next();
  }
}
