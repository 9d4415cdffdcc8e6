import { type Random } from '@waggle/testing';
import { sleep } from '../until';

interface Range {
  leastMs: number;
  mostMs: number;
}

/** Between two cuts of the same connections: some have resumed by then, some are about to. */
const moment: Range = { leastMs: 10, mostMs: 400 };

/** How long faults last. */
export interface PaceRanges {
  /** From the end of a process to its next start. */
  away: Range;
  /** What is frozen, and who does not read. */
  frozen: Range;
  /** From the recovery of one fault to the next one. */
  calm: Range;
  /** How many large messages are written to who does not read. */
  floodMessages: number;
}

/** The library notices a dead connection, and the service a database that hangs, within some of these. */
export const fullRanges: PaceRanges = {
  away: { leastMs: 100, mostMs: 3_000 },
  frozen: { leastMs: 500, mostMs: 8_000 },
  calm: { leastMs: 200, mostMs: 2_000 },
  // Some 12 KB each: together more than the service and the system keep for one connection.
  floodMessages: 1_000,
};

export const quickRanges: PaceRanges = {
  away: { leastMs: 50, mostMs: 200 },
  frozen: { leastMs: 300, mostMs: 900 },
  calm: { leastMs: 50, mostMs: 150 },
  floodMessages: 60,
};

/** Sleeps of random length, which end when the run does. */
export class Pace {
  constructor(
    readonly ranges: PaceRanges,
    private readonly random: Random,
    private readonly signal: AbortSignal,
  ) {}

  async away(): Promise<void> {
    await this.#sleep(this.ranges.away);
  }

  async frozen(): Promise<void> {
    await this.#sleep(this.ranges.frozen);
  }

  async moment(): Promise<void> {
    await this.#sleep(moment);
  }

  async calm(): Promise<void> {
    await this.#sleep(this.ranges.calm);
  }

  async #sleep({ leastMs, mostMs }: Range): Promise<void> {
    await sleep(this.random.between(leastMs, mostMs), this.signal);
  }
}
