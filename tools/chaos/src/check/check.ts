import { type Observation } from '../observation';
import { checkChanges } from './check-changes';
import { checkDevices } from './check-devices';
import { checkReceived } from './check-received';
import { checkSent } from './check-sent';
import { checkStored } from './check-stored';
import { StoredIndex } from './stored-index';
import { type Violation } from './violation';

/** Compares what was sent, acknowledged, stored, received, changed and shown. */
export function check(observation: Observation): Violation[] {
  const { conversations, sentMessages, receivers, lost } = observation;
  const stored = new StoredIndex(conversations, lost);
  return [
    ...checkStored(stored, sentMessages),
    ...checkSent(sentMessages, stored),
    ...receivers.flatMap((receiver) => checkReceived(receiver, stored)),
    ...checkChanges(observation, stored),
    ...checkDevices(observation, stored),
  ];
}
