import { type Fault, type FaultContext, type Strike } from './faults/fault';
import { type Recovery } from './recovery';

/** A fault that was injected, and how the service came back from it. */
export interface FaultRecord extends Recovery {
  fault: string;
  target: string;
  /** From the beginning of the faults. */
  atMs: number;
  lastedMs: number;
}

/** A fault under way. */
interface Injected {
  /** Resolves when the service has recovered, though what was struck may still be away. */
  recovered: Promise<Recovery>;
  /** Resolves when both are over. */
  over: Promise<void>;
}

/** The next fault does not wait for the recovery of the one before in so many cases. */
const overlapShare = 1 / 3;
/** So many faults are under way at once, their recoveries included. */
const atOnceMost = 2;

/** Injects faults, some while others are under way, no two into the same target. */
export class Injector {
  readonly records: FaultRecord[] = [];
  readonly #struck = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #sinceMs = performance.now();

  /**
   * @param recover is called when the service can recover from a fault
   * @param onRecord is called after that
   */
  constructor(
    private readonly context: FaultContext,
    private readonly recover: () => Promise<Recovery>,
    private readonly onRecord: (record: FaultRecord) => void,
  ) {}

  /** Faults of these kinds at random until the time is over and all have recovered. @throws what a fault throws */
  async injectFor(durationMs: number, faults: readonly Fault[]): Promise<void> {
    const { random, pace } = this.context;
    while (performance.now() - this.#sinceMs < durationMs) {
      this.#inject(random.pick(faults));
      const mayOverlap = random.chance(overlapShare) && this.#underWay.size < atOnceMost;
      if (!mayOverlap) await this.#recovered();
      await pace.calm();
    }
    await this.#recovered();
  }

  /**
   * These faults in this order, each when the service has recovered from the one before, though what that has struck may still
   * be away. Resolves when all are over. @throws what a fault throws
   */
  async injectEach(faults: readonly Fault[]): Promise<void> {
    for (const fault of faults) {
      const injected = this.#inject(fault);
      await Promise.race([injected?.recovered, injected?.over]);
      await this.context.pace.calm();
    }
    await this.#recovered();
  }

  /** Resolves when nothing is under way any more, also after a failure. */
  async stopped(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #recovered(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** At a random place where no other fault strikes; not at all where there is none. */
  #inject(fault: Fault): Injected | undefined {
    const free = fault.strikes(this.context).filter(({ target }) => !this.#struck.has(target));
    if (free.length === 0) return undefined;
    const injected = this.#strike(fault, this.context.random.pick(free));
    this.#underWay.add(injected.over);
    // One that failed stays: whoever waits for what is under way hears of it.
    injected.over.then(
      () => this.#underWay.delete(injected.over),
      () => undefined,
    );
    return injected;
  }

  #strike(fault: Fault, strike: Strike): Injected {
    let begin: () => void = () => undefined;
    const recovered = new Promise<void>((resolve) => {
      begin = resolve;
    }).then(() => this.recover());
    // Whoever ends everything ends this too, and the fault says so.
    recovered.catch(() => undefined);
    return { recovered, over: this.#run(fault, strike, begin, recovered) };
  }

  /** @param recovers begins the recovery, unless it has begun */
  async #run(
    { name }: Fault,
    { target, run }: Strike,
    recovers: () => void,
    recovered: Promise<Recovery>,
  ): Promise<void> {
    const beginMs = performance.now();
    this.#struck.add(target);
    try {
      await run(recovers);
    } finally {
      this.#struck.delete(target);
    }
    const lastedMs = performance.now() - beginMs;
    recovers();
    const record = { fault: name, target, atMs: beginMs - this.#sinceMs, lastedMs, ...(await recovered) };
    this.records.push(record);
    this.onRecord(record);
  }
}
