import { type SentMessage } from '../observation';
import { type StoredIndex } from './stored-index';
import { type Violation, type ViolationKind } from './violation';

/**
 * Checks that each message is stored once, from its sender, in the order of sending and at increasing times. After a
 * failover, a retry may have stored a lost message again, out of order.
 */
export function checkStored(stored: StoredIndex, sentMessages: readonly SentMessage[]): Violation[] {
  const sentByTag = new Map(sentMessages.map(({ tag, sender }, order) => [tag, { sender, order }]));
  const violations: Violation[] = [];
  const seen = new Set<string>();
  for (const { id: conversationId, messages, startSeq } of stored.conversations) {
    const add = (kind: ViolationKind, tag: string, detail: string): void => {
      violations.push({ kind, observer: 'database', conversationId, tag, detail });
    };
    const latestOf = new Map<string, { order: number; tag: string }>();
    for (const [index, { tag, sender, seq, timestamp }] of messages.entries()) {
      const before = messages[index - 1];
      if (before !== undefined && timestamp <= before.timestamp)
        add('stored-time', tag, `${timestamp} at ${seq} after ${before.timestamp} at ${before.seq}`);

      if (seq <= startSeq) continue;

      if (seen.has(tag)) {
        add('stored-twice', tag, `again at ${seq}`);
        continue;
      }
      seen.add(tag);

      const sent = sentByTag.get(tag);
      if (sent?.sender !== sender) {
        add('stored-unsent', tag, `from ${sender} at ${seq}; ${sent ? `sent by ${sent.sender}` : 'not sent'}`);
        continue;
      }
      if (stored.wasLost(tag)) continue;
      const latest = latestOf.get(sender);
      if (latest !== undefined && latest.order > sent.order)
        add('stored-out-of-order', tag, `at ${seq}, after ${latest.tag}, which was sent later`);
      else latestOf.set(sender, { order: sent.order, tag });
    }
  }
  return violations;
}
