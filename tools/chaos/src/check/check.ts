import { type Observation } from '../observation';
import { checkReceived } from './check-received';
import { checkSent } from './check-sent';
import { checkStored } from './check-stored';
import { StoredIndex } from './stored-index';
import { type Violation } from './violation';

/** Compares what was sent, acknowledged, stored and received. */
export function check({ conversations, sentMessages, receivers, lost }: Observation): Violation[] {
  const stored = new StoredIndex(conversations, lost);
  return [
    ...checkStored(stored, sentMessages),
    ...checkSent(sentMessages, stored),
    ...receivers.flatMap((receiver) => checkReceived(receiver, stored)),
  ];
}
