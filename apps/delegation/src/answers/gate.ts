import { DelegationError } from '../errors';

/** How long something waits for its turn: a client waits behind it. */
const waitMs = 2_000;

/** Lets so much through at once; the rest waits in line for a while. */
export class Gate {
  private running = 0;
  private readonly line: (() => void)[] = [];

  constructor(private readonly most: number) {}

  /** @throws DelegationError `unavailable` where its turn does not come in time */
  async through<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.most) await this.turn();
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      // Its place goes to the next in line.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.line.splice(this.line.indexOf(begin), 1);
        reject(
          new DelegationError('unavailable', 'too many questions about earlier blocks; try again', {
            retryAfterMs: 2_000,
          }),
        );
      }, waitMs);
      this.line.push(begin);
    });
  }
}
