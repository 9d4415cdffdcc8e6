import { RateLimitExceeded } from '../errors';

/** Runs one task of each account at a time at this instance; others wait in the order in which they were added. */
export class AccountQueue {
  /** The waiting work of each account with running work. */
  private readonly waiting = new Map<string, (() => void)[]>();

  /** @param maxWaitMs how long work may wait for its turn; unlimited by default */
  constructor(private readonly maxWaitMs?: number) {}

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
    const { maxWaitMs } = this;
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      queue.push(begin);
      const giveUp = (afterMs: number) => {
        queue.splice(queue.indexOf(begin), 1);
        reject(new RateLimitExceeded('other connections of the account are resuming', afterMs));
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs, maxWaitMs);
    });
  }

  private leave(account: string) {
    const next = this.waiting.get(account)?.shift();
    if (next === undefined) this.waiting.delete(account);
    else next();
  }
}
