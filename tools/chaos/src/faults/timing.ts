import { sleep } from '@waggle/running/waiting';
import { type Random } from '@waggle/testing';

interface Range {
  minMs: number;
  maxMs: number;
}

/** The wait before the same connections are cut again: long enough for some clients to resume, but not for all. */
const betweenCuts: Range = { minMs: 10, maxMs: 400 };

/** How long and how large faults are. */
export interface Durations {
  /** How long a process stays stopped. */
  downtime: Range;
  /** How long a process is frozen. Also the minimum time for which a client does not read. */
  freeze: Range;
  /** The wait between two faults, which begins when the first one is over. */
  betweenFaults: Range;
  /** The number of large messages written to clients that do not read. */
  floodMessages: number;
}

/**
 * The longest freezes outlast two timeouts: a client's for a dead connection, and the service's for a stalled database.
 */
export const fullDurations: Durations = {
  downtime: { minMs: 100, maxMs: 3_000 },
  freeze: { minMs: 500, maxMs: 8_000 },
  betweenFaults: { minMs: 200, maxMs: 2_000 },
  // About 12 KB each: more than the service and the operating system buffer for one connection.
  floodMessages: 1_000,
};

export const quickDurations: Durations = {
  downtime: { minMs: 50, maxMs: 200 },
  freeze: { minMs: 300, maxMs: 900 },
  betweenFaults: { minMs: 50, maxMs: 150 },
  floodMessages: 60,
};

/** Sleeps for random durations; rejects when the run is stopped. */
export class Timing {
  constructor(
    readonly durations: Durations,
    private readonly random: Random,
    private readonly signal: AbortSignal,
  ) {}

  async downtime(): Promise<void> {
    await this.sleep(this.durations.downtime);
  }

  async freeze(): Promise<void> {
    await this.sleep(this.durations.freeze);
  }

  async betweenCuts(): Promise<void> {
    await this.sleep(betweenCuts);
  }

  async betweenFaults(): Promise<void> {
    await this.sleep(this.durations.betweenFaults);
  }

  /** Pauses a process for a random time, and always resumes it. */
  async pause(target: { pause(): void; resume(): void }): Promise<void> {
    target.pause();
    try {
      await this.freeze();
    } finally {
      target.resume();
    }
  }

  private async sleep({ minMs, maxMs }: Range): Promise<void> {
    await sleep(this.random.between(minMs, maxMs), this.signal);
  }
}
