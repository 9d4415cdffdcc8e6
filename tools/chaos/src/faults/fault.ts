import { type Random } from '@waggle/testing';
import { type LibraryClient } from '../clients/library-client';
import { type Load } from '../load';
import { type ChaosStack } from '../stack';
import { type Timing } from './timing';

/** What faults can affect. */
export interface FaultContext {
  stack: ChaosStack;
  clients: readonly LibraryClient[];
  load: Load;
  timing: Timing;
  random: Random;
  /** Aborted when the run is stopped. */
  signal: AbortSignal;
}

/** One way to inject a fault. */
export interface Injection {
  /** What is affected: at most one fault at a time has the same target. */
  target: string;
  /**
   * Resolves when the fault is over, that is, when the target works again.
   *
   * @param canRecover called if the service can recover earlier, because other instances replace the target
   */
  run: (canRecover: () => void) => Promise<void>;
}

/** A kind of fault. */
export interface Fault {
  name: string;
  /** Returns one injection for each possible target. */
  injections: (context: FaultContext) => Injection[];
}
