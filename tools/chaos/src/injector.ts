import { type Fault, type FaultContext, type Injection } from './faults/fault';
import { type Recovery } from './recovery';

/** An injected fault and the recovery from it. */
export interface FaultRecord extends Recovery {
  fault: string;
  target: string;
  /** From the beginning of the faults. */
  atMs: number;
  lastedMs: number;
}

interface ActiveFault {
  /** Resolves when the service recovers; the target may still be unavailable. */
  recovered: Promise<Recovery>;
  /** Resolves when the service recovered and the fault is over. */
  over: Promise<void>;
}

/** How often the next fault does not wait for the recovery from the one before. */
const overlapShare = 1 / 3;
/** The number of faults at the same time, including their recoveries. */
const maxActive = 2;

/** Injects faults, some of them at the same time, but never two into the same target. */
export class Injector {
  readonly records: FaultRecord[] = [];
  private readonly targets = new Set<string>();
  private readonly active = new Set<Promise<void>>();
  private readonly sinceMs = performance.now();

  /**
   * @param recover called when the service can recover from a fault
   * @param onRecord called when it recovered and the fault is over
   */
  constructor(
    private readonly context: FaultContext,
    private readonly recover: () => Promise<Recovery>,
    private readonly onRecord: (record: FaultRecord) => void,
  ) {}

  /** Injects random faults of these kinds for a time, and waits until all are over. @throws what a fault throws */
  async injectFor(durationMs: number, faults: readonly Fault[]): Promise<void> {
    const { random, timing } = this.context;
    while (performance.now() - this.sinceMs < durationMs) {
      this.inject(random.pick(faults));
      const mayOverlap = random.chance(overlapShare) && this.active.size < maxActive;
      if (!mayOverlap) await this.allOver();
      await timing.betweenFaults();
    }
    await this.allOver();
  }

  /**
   * Injects these faults in order, each as soon as the service recovers from the one before, and waits until all are
   * over.
   *
   * @throws what a fault throws
   */
  async injectEach(faults: readonly Fault[]): Promise<void> {
    for (const fault of faults) {
      const active = this.inject(fault);
      await Promise.race([active?.recovered, active?.over]);
      await this.context.timing.betweenFaults();
    }
    await this.allOver();
  }

  /** Resolves when no fault is active any more, even after a failure. */
  async stopped(): Promise<void> {
    await Promise.allSettled(this.active);
  }

  private async allOver(): Promise<void> {
    await Promise.all(this.active);
  }

  /** Injects the fault into a random free target, if there is one. */
  private inject(fault: Fault): ActiveFault | undefined {
    const free = fault.injections(this.context).filter(({ target }) => !this.targets.has(target));
    if (free.length === 0) return undefined;
    const active = this.start(fault, this.context.random.pick(free));
    this.active.add(active.over);
    // A failed one stays in the set, so that `allOver` rejects.
    active.over.then(
      () => this.active.delete(active.over),
      () => undefined,
    );
    return active;
  }

  private start(fault: Fault, injection: Injection): ActiveFault {
    let canRecover: () => void = () => undefined;
    const recovered = new Promise<void>((resolve) => {
      canRecover = resolve;
    }).then(() => this.recover());
    // It rejects when the run is stopped, and then `over` rejects too.
    recovered.catch(() => undefined);
    return { recovered, over: this.run(fault, injection, canRecover, recovered) };
  }

  private async run(
    { name }: Fault,
    { target, run }: Injection,
    canRecover: () => void,
    recovered: Promise<Recovery>,
  ): Promise<void> {
    const beginMs = performance.now();
    this.targets.add(target);
    try {
      await run(canRecover);
    } finally {
      this.targets.delete(target);
    }
    const lastedMs = performance.now() - beginMs;
    canRecover();
    const record = { fault: name, target, atMs: beginMs - this.sinceMs, lastedMs, ...(await recovered) };
    this.records.push(record);
    this.onRecord(record);
  }
}
