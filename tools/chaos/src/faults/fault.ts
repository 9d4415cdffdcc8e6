import { type Random } from '@waggle/testing';
import { type LibraryClient } from '../clients/library-client';
import { type Conversation } from '../conversations';
import { type Load } from '../load';
import { type ChaosStack } from '../stack';
import { type Pace } from './pace';

/** What faults strike, and what they go by. */
export interface FaultContext {
  stack: ChaosStack;
  clients: readonly LibraryClient[];
  conversations: readonly Conversation[];
  load: Load;
  pace: Pace;
  random: Random;
  /** Aborted when the run is to end. */
  signal: AbortSignal;
}

/** A place where a fault may strike. */
export interface Strike {
  /** Struck by one fault at a time. */
  target: string;
  /**
   * Resolves when the fault is over: what was struck is there again, or nothing is done to it any more.
   *
   * @param othersTakeOver to be called when what was struck is gone, where others can do its work: the service recovers from
   * then on; else from the end of the fault on
   */
  run: (othersTakeOver: () => void) => Promise<void>;
}

/** One kind of fault; one file each. */
export interface Fault {
  name: string;
  strikes: (context: FaultContext) => Strike[];
}
