import { type HeardMessage, type Hearing, type StoredConversation, type StoredMessage } from '../observation';
import { type Found, type StoredIndex } from './stored-index';
import { type Violation, type ViolationKind } from './violation';

/** After a failover that has lost what a connection heard it is closed within this: an instance may have been frozen meanwhile. */
const closedMostMs = 30_000;

/**
 * What one hearer heard: of each conversation each message once, in the order of the database. A client hears all of them;
 * a connection hears all between the first and the last that it hears. What a failover has lost a client no longer holds, and a
 * connection that heard of it is closed.
 */
export function checkHearing(hearing: Hearing, stored: StoredIndex): Violation[] {
  const byConversation = new Map<string, HeardMessage[]>();
  for (const message of hearing.heard) {
    const others = byConversation.get(message.conversationId) ?? [];
    byConversation.set(message.conversationId, others);
    others.push(message);
  }
  const ids = new Set(byConversation.keys());
  if (hearing.kind === 'client')
    for (const { id, hearers } of stored.conversations) if (hearers.includes(hearing.account)) ids.add(id);
  return [...ids].flatMap((id) => checkConversation(hearing, id, byConversation.get(id) ?? [], stored));
}

function checkConversation(
  { kind, who, account, endedAtMs = Infinity }: Hearing,
  conversationId: string,
  heard: readonly HeardMessage[],
  stored: StoredIndex,
): Violation[] {
  const violations: Violation[] = [];
  const add = (violation: ViolationKind, mark: string, detail: string) => {
    violations.push({ kind: violation, who, conversationId, mark, detail });
  };
  const conversation = stored.conversation(conversationId);
  const isHearer = conversation?.hearers.includes(account) === true;

  /** The message with the greatest place of those heard so far. */
  let latest: StoredMessage | undefined;
  const once = new Set<string>();
  for (const [index, message] of heard.entries()) {
    const { id, mark } = message;
    const found = stored.byId(id);
    const nth = `heard as number ${index + 1}`;
    const lost = kind === 'connection' ? stored.lost(id) : undefined;
    if (lost !== undefined) {
      if (endedAtMs > lost.atMs + closedMostMs) add('diverged', mark, `${nth}, lost since then, and not closed`);
      // Until it is closed it may hear what has the same places now.
      return violations;
    }
    if (found?.conversation.id !== conversationId) {
      add('phantom', mark, `${nth}, not stored there`);
      continue;
    }
    if (!isWatched(found)) continue;
    if (!isHearer) add('overheard', mark, `${account} does not hear this conversation`);
    if (!isTheSame(message, found)) {
      add('heard-otherwise', mark, `heard ${JSON.stringify(message)}, stored ${JSON.stringify(found.message)}`);
    }
    if (once.has(id)) {
      add('doubled', mark, `${nth}, at ${found.message.seq}, once more`);
      continue;
    }
    once.add(id);
    if (latest !== undefined && found.message.seq < latest.seq)
      add('out-of-order', mark, `${nth}, at ${found.message.seq}, after ${latest.mark} at ${latest.seq}`);
    else latest = found.message;
  }
  if (conversation !== undefined && isHearer)
    for (const missing of expected(kind, conversation, once))
      if (!once.has(missing.id))
        add('lost', missing.mark, `at ${missing.seq}; ${heardAround(conversation, missing.seq, once)}`);
  return violations;
}

function isWatched({ message, conversation }: Found): boolean {
  return message.seq > conversation.afterSeq;
}

function isTheSame({ seq, mark, timestamp }: HeardMessage, { message }: Found): boolean {
  return (seq === null || seq === message.seq) && mark === message.mark && timestamp === message.timestamp;
}

/** The messages that the hearer must have heard. */
function expected(kind: Hearing['kind'], { messages, afterSeq }: StoredConversation, heard: ReadonlySet<string>) {
  if (kind === 'client') return messages.filter(({ seq }) => seq > afterSeq);
  const first = messages.findIndex(({ id }) => heard.has(id));
  return first < 0 ? [] : messages.slice(first, messages.findLastIndex(({ id }) => heard.has(id)) + 1);
}

/** The places next to one that was not heard, to find it in a log. */
function heardAround({ messages }: StoredConversation, seq: number, heard: ReadonlySet<string>): string {
  const before = messages.findLast((message) => message.seq < seq && heard.has(message.id));
  const after = messages.find((message) => message.seq > seq && heard.has(message.id));
  return `heard ${before?.seq ?? 'nothing'} before it and ${after?.seq ?? 'nothing'} after it`;
}
