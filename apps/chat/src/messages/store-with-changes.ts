import { type Conversation } from '@waggle/contracts';
import { inTransaction, isDataError, rejected } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { appendEntries, takeNextSeq } from '../log/append-changes';
import { appendMessages, type NewMessage } from '../log/append-messages';
import { type ChangeEntry, type Entry } from '../log/entry';
import { readQuotes } from '../log/quotes';
import { findRepeated } from '../log/repeated-messages';
import { madeBy } from '../log/history-changes';
import { LockedConversation } from '../membership/locked-conversation';
import { authorizeMessages, type WritePermission } from './authorize-messages';
import { type SendResult } from './send-result';

/**
 * Stores messages of one conversation that also change it (`WritePermission.changesConversation`), and later ones of
 * their senders: each sender joins the channel, or a dm that an account left is shown again. The entries of the changes
 * precede the messages. The result of a sender's first message has the entries of its change.
 *
 * All are stored in one transaction, which is split until a message that cannot be stored fails alone. Never rejects:
 * the result of such a message is a rejected promise.
 */
export async function storeWithChanges(
  pool: Pool,
  messages: readonly NewMessage[],
): Promise<Map<NewMessage, SendResult | Promise<SendResult>>> {
  try {
    return await inTransaction(pool, (client) => storeInTransaction(client, messages));
  } catch (error) {
    if (messages.length === 1 || !isDataError(error))
      return new Map(messages.map((message) => [message, rejected(error)]));
    const middle = Math.ceil(messages.length / 2);
    const first = await storeWithChanges(pool, messages.slice(0, middle));
    return new Map([...first, ...(await storeWithChanges(pool, messages.slice(middle)))]);
  }
}

async function storeInTransaction(
  client: ClientBase,
  messages: readonly NewMessage[],
): Promise<Map<NewMessage, SendResult>> {
  const results = new Map<NewMessage, SendResult>();
  const [first] = messages;
  if (first === undefined) return results;
  const conversation = await LockedConversation.lock(client, first.conversationId, []);
  if (conversation === undefined)
    return new Map(messages.map((message) => [message, { outcome: 'rejected', error: 'not-found' }]));
  // Looked up under the lock, since another instance may have received them as well.
  const repeated = await findRepeated(client, messages);
  await readQuotes(client, [...repeated.values()]);
  for (const [message, entry] of repeated) results.set(message, { outcome: 'repeated', entries: [entry] });

  const allowed = new Map<NewMessage, WritePermission>();
  const unknown = messages.filter((message) => !results.has(message));
  for (const [i, authorization] of (await authorizeMessages(client, unknown)).entries()) {
    const message = unknown[i];
    if (message === undefined) continue;
    if ('error' in authorization) results.set(message, { outcome: 'rejected', error: authorization.error });
    else allowed.set(message, authorization.permission);
  }

  const changes = await makeChanges(conversation, allowed);
  const entries = await appendMessages(
    client,
    Array.from(allowed, ([message, { recipient }]) => ({
      ...message,
      recipient,
      authorizedSeq: Number.MAX_SAFE_INTEGER,
    })),
  );
  const changeEntries = await appendChangeEntries(conversation, changes);
  for (const [i, message] of [...allowed.keys()].entries()) {
    const entry = entries[i];
    if (entry === undefined) throw new Error('a locked conversation was changed');
    results.set(message, { outcome: 'stored', entries: [...(changeEntries.get(message.sender) ?? []), entry] });
    changeEntries.delete(message.sender);
  }
  return results;
}

/** A change that the first message of a sender makes. */
interface SenderChange {
  sender: string;
  seq: number;
  /** The accounts that the change makes members. */
  joins: readonly string[];
  /** Returns the events with the conversation as it is after the messages. */
  events: (conversation: Conversation) => ChangeEntry['events'];
}

/** Makes the changes of the senders whose messages change the conversation. */
async function makeChanges(
  conversation: LockedConversation,
  allowed: ReadonlyMap<NewMessage, WritePermission>,
): Promise<SenderChange[]> {
  const senders = new Set<string>();
  for (const [{ sender }, { changesConversation }] of allowed) if (changesConversation) senders.add(sender);
  const change = conversation.type === 'channel' ? addSender : showToBoth;
  const changes: SenderChange[] = [];
  // In the same order as acknowledgments lock the rows of accounts, so that the two do not deadlock.
  for (const sender of [...senders].toSorted()) {
    const unsequenced = await change(conversation, sender);
    if (unsequenced === undefined) continue;
    const seq = await takeNextSeq(conversation.client, conversation.id);
    changes.push({ sender, seq, ...unsequenced });
  }
  return changes;
}

/** Appends the entries of changes. @returns by sender the entries of its change, and of its own stream if it joins */
async function appendChangeEntries(
  conversation: LockedConversation,
  changes: readonly SenderChange[],
): Promise<Map<string, Entry[]>> {
  const toAppend: ChangeEntry[] = [];
  for (const { sender, seq, joins, events } of changes) {
    const made = madeBy(sender, events(await conversation.read(sender)));
    toAppend.push({ stream: conversation.id, seq, events: made, joins, leaves: [], subscriptions: [] });
  }
  const appended = await appendEntries(conversation.client, toAppend);
  return new Map(
    changes.map(({ sender, seq, joins }) => [
      sender,
      appended.filter((entry) => (entry.stream === conversation.id ? entry.seq === seq : joins.includes(entry.stream))),
    ]),
  );
}

/** A change before it has a sequence number. */
type UnsequencedChange = Pick<SenderChange, 'joins' | 'events'>;

/** Adds a sender to the channel. */
async function addSender(conversation: LockedConversation, sender: string): Promise<UnsequencedChange> {
  const isNew = await conversation.add(sender);
  const payload = { conversation_id: conversation.id, username: sender };
  return {
    joins: isNew ? [sender] : [],
    events: (joined) => [
      { type: 'conversation-created', payload: joined, to: [sender] },
      { type: 'member-added', payload, to: {} },
    ],
  };
}

/** Shows a dm again to the accounts that left it. @returns undefined if an earlier message did */
async function showToBoth(conversation: LockedConversation): Promise<UnsequencedChange | undefined> {
  const accounts = await conversation.show();
  if (accounts.length === 0) return undefined;
  return { joins: [], events: (shown) => [{ type: 'conversation-created', payload: shown, to: accounts }] };
}
