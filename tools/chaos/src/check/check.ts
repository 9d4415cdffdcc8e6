import { type Observation } from '../observation';
import { checkHearing } from './check-hearing';
import { checkSendings } from './check-sendings';
import { checkStored } from './check-stored';
import { StoredIndex } from './stored-index';
import { type Violation } from './violation';

/**
 * Compares what was seen from the three sides, for every conversation: what each hearer heard, what the database holds, and
 * what senders were told.
 */
export function check({ conversations, sendings, hearings, lost }: Observation): Violation[] {
  const stored = new StoredIndex(conversations, lost);
  return [
    ...checkStored(stored, sendings),
    ...checkSendings(sendings, stored),
    ...hearings.flatMap((hearing) => checkHearing(hearing, stored)),
  ];
}
