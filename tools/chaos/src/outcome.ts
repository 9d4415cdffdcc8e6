import { type Violation } from './check/violation';
import { type LibraryClient } from './clients/library-client';
import { type FaultRecord } from './injector';
import { type Ledger } from './ledger';
import { type Load } from './load';
import { type Observation } from './observation';

/** What came of a run. */
export interface Outcome {
  records: readonly FaultRecord[];
  ledger: Ledger;
  clients: readonly LibraryClient[];
  load: Load;
  observation: Observation;
  violations: readonly Violation[];
  /** What must not happen and is not about messages: an instance that ended by itself, a client that was not back. */
  failures: readonly string[];
}
