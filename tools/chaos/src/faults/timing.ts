import { sleep } from '@waggle/running/waiting';
import { type Random } from '@waggle/testing';

interface Range {
  minMs: number;
  maxMs: number;
}

/** Between two cuts of the same connections: some clients have resumed by then, others have not. */
const betweenCuts: Range = { minMs: 10, maxMs: 400 };

/** How long faults last. */
export interface Durations {
  /** From the end of a process to its next start. */
  downtime: Range;
  /** How long a process is paused, or at least how long a client does not read. */
  freeze: Range;
  /** The pause before the next fault: after the recovery of the last one, unless faults overlap. */
  betweenFaults: Range;
  /** The number of large messages written to clients that do not read. */
  floodMessages: number;
}

/**
 * The longest pauses exceed the timeouts of clients for a dead connection and of the service for a stalled database.
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

  /** Pauses a process with SIGSTOP, and always resumes it. */
  async pause(paused: { pause(): void; resume(): void }): Promise<void> {
    paused.pause();
    try {
      await this.freeze();
    } finally {
      paused.resume();
    }
  }

  private async sleep({ minMs, maxMs }: Range): Promise<void> {
    await sleep(this.random.between(minMs, maxMs), this.signal);
  }
}
