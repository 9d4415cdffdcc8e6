import { type ReceivedMessage, type Receiver, type StoredConversation, type StoredMessage } from '../observation';
import { type Found, type StoredIndex } from './stored-index';
import { type Violation, type ViolationKind } from './violation';

/**
 * How long after a promotion connections that received lost messages may stay open: an instance may be paused
 * meanwhile.
 */
const maxCloseDelayMs = 30_000;

/**
 * Checks that each message of the receiver's conversations was received once, in order and as stored: by a client, all
 * of them; by a connection, all from the first to the last that it received. A client must have discarded messages that
 * a failover lost; a connection that received one must be closed.
 */
export function checkReceived(receiver: Receiver, stored: StoredIndex): Violation[] {
  const byConversation = new Map<string, ReceivedMessage[]>();
  for (const message of receiver.received) {
    const others = byConversation.get(message.conversationId) ?? [];
    byConversation.set(message.conversationId, others);
    others.push(message);
  }
  const ids = new Set(byConversation.keys());
  if (receiver.kind === 'client')
    for (const { id, subscribers } of stored.conversations) if (subscribers.includes(receiver.account)) ids.add(id);
  return [...ids].flatMap((id) => checkConversation(receiver, id, byConversation.get(id) ?? [], stored));
}

function checkConversation(
  { kind, name, account, endedAtMs = Infinity }: Receiver,
  conversationId: string,
  received: readonly ReceivedMessage[],
  stored: StoredIndex,
): Violation[] {
  const violations: Violation[] = [];
  const add = (violation: ViolationKind, tag: string, detail: string): void => {
    violations.push({ kind: violation, observer: name, conversationId, tag, detail });
  };
  const conversation = stored.conversation(conversationId);
  const isSubscriber = conversation?.subscribers.includes(account) === true;

  /** The received message with the highest sequence number. */
  let latest: StoredMessage | undefined;
  const seenIds = new Set<string>();
  for (const [index, message] of received.entries()) {
    const { id, tag } = message;
    const found = stored.byId(id);
    const nth = `received as number ${index + 1}`;
    const lost = kind === 'connection' ? stored.lost(id) : undefined;
    if (lost !== undefined) {
      if (endedAtMs > lost.replacedAtMs + maxCloseDelayMs) add('diverged', tag, `${nth}, then lost, but not closed`);
      // Until it is closed, it may receive new messages with the same sequence numbers.
      return violations;
    }
    if (found?.conversation.id !== conversationId) {
      add('phantom', tag, `${nth}, not stored there`);
      continue;
    }
    if (found.message.seq <= found.conversation.startSeq) continue;
    if (!isSubscriber) add('not-subscribed', tag, `${account} is not a member or follower`);
    if (!isSame(message, found)) {
      add('content-differs', tag, `received ${JSON.stringify(message)}, stored ${JSON.stringify(found.message)}`);
    }
    if (seenIds.has(id)) {
      add('duplicate', tag, `${nth}, at ${found.message.seq}, again`);
      continue;
    }
    seenIds.add(id);
    if (latest !== undefined && found.message.seq < latest.seq)
      add('out-of-order', tag, `${nth}, at ${found.message.seq}, after ${latest.tag} at ${latest.seq}`);
    else latest = found.message;
  }
  if (conversation !== undefined && isSubscriber)
    for (const missing of expectedMessages(kind, conversation, seenIds))
      if (!seenIds.has(missing.id) && !missing.isDeleted)
        add('lost', missing.tag, `at ${missing.seq}; ${receivedAround(conversation, missing.seq, seenIds)}`);
  return violations;
}

function isSame({ seq, tag, timestamp }: ReceivedMessage, { message }: Found): boolean {
  return (seq === null || seq === message.seq) && tag === message.tag && timestamp === message.timestamp;
}

function expectedMessages(
  kind: Receiver['kind'],
  { messages, startSeq }: StoredConversation,
  seenIds: ReadonlySet<string>,
): readonly StoredMessage[] {
  if (kind === 'client') return messages.filter(({ seq }) => seq > startSeq);
  const first = messages.findIndex(({ id }) => seenIds.has(id));
  return first < 0 ? [] : messages.slice(first, messages.findLastIndex(({ id }) => seenIds.has(id)) + 1);
}

/** Describes the received messages next to a missing one, to find it in a log. */
function receivedAround({ messages }: StoredConversation, seq: number, seenIds: ReadonlySet<string>): string {
  const before = messages.findLast((message) => message.seq < seq && seenIds.has(message.id));
  const after = messages.find((message) => message.seq > seq && seenIds.has(message.id));
  return `received ${before?.seq ?? 'nothing'} before it and ${after?.seq ?? 'nothing'} after it`;
}
