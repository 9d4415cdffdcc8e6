import { type Sending } from '../observation';
import { type StoredIndex } from './stored-index';
import { type Violation, type ViolationKind } from './violation';

/**
 * What is stored: each message once, by who has sent it, in the order of its sender, at growing times. One that was acknowledged,
 * lost, and stored again by a repeat that was still on its way has lost its turn.
 */
export function checkStored(stored: StoredIndex, sendings: readonly Sending[]): Violation[] {
  const orderOf = new Map(sendings.map(({ mark, sender }, order) => [mark, { sender, order }]));
  const violations: Violation[] = [];
  const seen = new Set<string>();
  for (const { id: conversationId, messages, afterSeq } of stored.conversations) {
    const add = (kind: ViolationKind, mark: string, detail: string) => {
      violations.push({ kind, who: 'database', conversationId, mark, detail });
    };
    const latestOf = new Map<string, { order: number; mark: string }>();
    for (const [index, { mark, sender, seq, timestamp }] of messages.entries()) {
      const before = messages[index - 1];
      if (before !== undefined && timestamp <= before.timestamp)
        add('stored-time', mark, `${timestamp} at ${seq} after ${before.timestamp} at ${before.seq}`);

      if (seq <= afterSeq) continue;

      if (seen.has(mark)) {
        add('stored-twice', mark, `once more at ${seq}`);
        continue;
      }
      seen.add(mark);

      const sent = orderOf.get(mark);
      if (sent?.sender !== sender) {
        add('stored-unsent', mark, `by ${sender} at ${seq}; sent by ${sent?.sender ?? 'nobody'}`);
        continue;
      }
      if (stored.wasLost(mark)) continue;
      const latest = latestOf.get(sender);
      if (latest !== undefined && latest.order > sent.order)
        add('stored-out-of-order', mark, `at ${seq}, after ${latest.mark}, which was sent later`);
      else latestOf.set(sender, { order: sent.order, mark });
    }
  }
  return violations;
}
