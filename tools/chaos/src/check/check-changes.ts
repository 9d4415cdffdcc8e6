import { type Change, type Observation, type StoredMessage } from '../observation';
import { type StoredIndex } from './stored-index';
import { type Violation, type ViolationKind } from './violation';

/**
 * Checks that confirmed changes are stored, and rejected ones are not: a value must be one that its changes can have
 * left, an edited message must have the confirmed texts, and each message must mention what its text says.
 */
export function checkChanges(observation: Observation, stored: StoredIndex): Violation[] {
  const { initialValues, values } = observation;
  const changes = changesByKey(observation, stored);
  const violations: Violation[] = [];
  for (const key of new Set([...Object.keys(values), ...changes.keys()])) {
    const ofKey = changes.get(key) ?? [];
    if (ofKey === 'lost' || key.startsWith('text ')) continue;
    const possible = possibleValues(initialValues[key] ?? 0, ofKey);
    const value = values[key] ?? 0;
    if (possible.has(value)) continue;
    const detail = `${value} instead of ${[...possible].join(' or ')} after ${JSON.stringify(ofKey.slice(-5))}`;
    const observer = ofKey[0]?.account ?? 'database';
    violations.push({ kind: 'value-differs', observer, conversationId: '', tag: key, detail });
  }
  for (const { id: conversationId, messages } of stored.conversations)
    for (const message of messages) {
      const edits = changes.get(`text ${message.id}`) ?? [];
      const add = (kind: ViolationKind, detail: string): void => {
        violations.push({ kind, observer: message.sender, conversationId, tag: message.tag, detail });
      };
      if (edits !== 'lost') checkEdits(message, edits, add);
      const mentioned = message.mentions.map(({ account }) => account).toSorted();
      if (mentioned.join() !== message.expectedMentions.join())
        add('mention-differs', `${mentioned.join()} instead of ${message.expectedMentions.join()}`);
    }
  return violations;
}

/** The changes of each key; `lost` if a failover lost a message that one concerns. */
function changesByKey(
  { changes, lossPeriods }: Observation,
  stored: StoredIndex,
): ReadonlyMap<string, readonly Change[] | 'lost'> {
  const byKey = new Map<string, Change[] | 'lost'>();
  for (const change of changes) {
    const { key, messageId, sentAtMs, endedAtMs } = change;
    const others = byKey.get(key) ?? [];
    if (others === 'lost') continue;
    const mayBeLost = lossPeriods.some(({ sinceMs, untilMs }) => sentAtMs <= untilMs && endedAtMs >= sinceMs);
    others.push(mayBeLost && change.result === 'confirmed' ? { ...change, result: 'unknown' } : change);
    byKey.set(key, stored.lost(messageId) === undefined ? others : 'lost');
  }
  return byKey;
}

/** @param changes in the order of sending, each after the result of the one before */
function possibleValues(initial: number, changes: readonly Change[]): ReadonlySet<number> {
  let possible = new Set([initial]);
  /** They may take effect, or take effect again, after later ones: an instance was paused with the frame. */
  const late: Change[] = [];
  for (const change of changes) {
    if (change.result === 'rejected') continue;
    const changed = Array.from(possible, (value) => valueAfter(value, change));
    possible = new Set(change.result === 'confirmed' ? changed : [...possible, ...changed]);
    if (change.result === 'unknown' || change.mayRepeat) late.push(change);
    for (const each of late) for (const value of possible) possible.add(valueAfter(value, each));
  }
  return possible;
}

function valueAfter(value: number, change: Change): number {
  if (change.effect === 'raise') return Math.max(value, change.value);
  return change.effect === 'lower' ? Math.min(value, change.value) : change.value;
}

function checkEdits(
  { edits: texts }: StoredMessage,
  edits: readonly Change[],
  add: (kind: ViolationKind, detail: string) => void,
): void {
  for (const { result, revision, text } of edits)
    if (result === 'confirmed' && texts[revision - 1] !== text)
      add('edit-lost', `${text} as revision ${revision} of ${texts.join(', ')}`);
  for (const [index, text] of texts.entries())
    if (!edits.some((edit) => edit.text === text && edit.result !== 'rejected') || texts.indexOf(text) < index)
      add('edit-unsent', `${text} as revision ${index + 1}`);
}
