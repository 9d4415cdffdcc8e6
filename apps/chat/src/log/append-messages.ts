import { newIdentifier, type Queryable } from '@waggle/service';
import { insertMessage, insertMessages } from './append-messages.statements';
import { type MessageEntry } from './entry';
import { findMentions, noMentions } from './mentions';
import { newBody, pickBody, type MessageBody } from './message-body';
import { readQuotes } from './quotes';

/** A message to store. */
export interface NewMessage extends MessageBody {
  id: string;
  conversationId: string;
  sender: string;
  /** The idempotency key of the client: a message of the same sender, conversation and key is stored once. */
  clientId: string | null;
  /** The id of the message that it replies to. `MessageQueue` finds it, and sets `repliedTo` and `repliedToSender`. */
  replyTo?: string | undefined;
  repliedToSender?: string | undefined;
}

/** What a client sends of a message, even before its conversation exists. */
export type MessageContent = Pick<NewMessage, 'content' | 'clientId' | 'replyTo' | 'attachments'>;

/** Returns a message with a new identifier. */
export function newMessage(sender: string, conversationId: string, content: MessageContent): NewMessage {
  return { id: newIdentifier(), conversationId, sender, ...content };
}

/** A message whose sender is authorized to write it. */
interface AuthorizedMessage extends NewMessage {
  /** The other account of a dm; null elsewhere. */
  recipient: string | null;
  /**
   * The sequence number of the conversation when the sender was authorized. A later entry that may change who may
   * write, such as a removal, makes the authorization stale. The maximum integer if the transaction holds the
   * conversation's lock.
   */
  authorizedSeq: number;
}

/** A message, and who it mentions. */
interface MessageWithMentions extends AuthorizedMessage {
  mentionedAccounts: string[];
}

/**
 * Stores messages with the next sequence numbers of their conversations, in the given order.
 *
 * @param client the caller's transaction if it stores other entries too, such as a join
 * @returns the entries in the given order; undefined for a message that has to be authorized again
 */
export async function appendMessages(
  client: Queryable,
  messages: readonly AuthorizedMessage[],
): Promise<(MessageEntry | undefined)[]> {
  if (messages.length === 0) return [];
  const mentions = await findMentions(client, messages);
  const withMentions = messages.map((message, i): MessageWithMentions => {
    const { ranges, accounts } = mentions[i] ?? noMentions;
    return { ...message, mentions: ranges, mentionedAccounts: accounts };
  });
  const [first, ...others] = withMentions;
  const isSingle = first !== undefined && others.length === 0;
  const entries = isSingle ? [await appendOne(client, first)] : await appendSeveral(client, withMentions);
  const stored = entries.filter((entry) => entry !== undefined);
  await addQuotesIfPossible(client, stored);
  return entries;
}

/**
 * Adds the quotes of stored messages. They are read only now, since an edit that was committed while the messages
 * waited for the lock precedes them in the stream. If that fails, the messages are delivered without quotes.
 */
async function addQuotesIfPossible(client: Queryable, entries: MessageEntry[]): Promise<void> {
  try {
    await readQuotes(client, entries);
  } catch {
    // The messages are stored. In a transaction, the error also fails the next statement.
  }
}

async function appendOne(client: Queryable, message: MessageWithMentions): Promise<MessageEntry | undefined> {
  const row = await insertMessage.find(client, { ...message, ...newBody.values(message) });
  return row && entryOf(message, Number(row.seq), row.sent_at);
}

async function appendSeveral(
  client: Queryable,
  messages: readonly MessageWithMentions[],
): Promise<(MessageEntry | undefined)[]> {
  const conversations = new Map<string, { authorizedSeq: number; messageCount: number }>();
  /** The position of each message among the messages of its conversation, from 1. */
  const positions = messages.map(({ conversationId, authorizedSeq }) => {
    const conversation = conversations.get(conversationId) ?? { authorizedSeq, messageCount: 0 };
    conversations.set(conversationId, conversation);
    conversation.authorizedSeq = Math.min(conversation.authorizedSeq, authorizedSeq);
    conversation.messageCount += 1;
    return conversation.messageCount;
  });
  const rows = await insertMessages.query(client, {
    conversationIds: [...conversations.keys()],
    authorizedSeqs: Array.from(conversations.values(), ({ authorizedSeq }) => authorizedSeq),
    messageCounts: Array.from(conversations.values(), (conversation) => conversation.messageCount),
    conversationIdOfEach: messages.map(({ conversationId }) => conversationId),
    positions,
    ids: messages.map(({ id }) => id),
    senders: messages.map(({ sender }) => sender),
    recipients: messages.map(({ recipient }) => recipient),
    clientIds: messages.map(({ clientId }) => clientId),
    ...newBody.arrays.values(messages),
    mentionedAccounts: messages.flatMap(({ mentionedAccounts }) => mentionedAccounts),
    mentionIds: messages.flatMap(({ id, mentionedAccounts }) => mentionedAccounts.map(() => id)),
  });
  const numbered = new Map(rows.map(({ id, last_seq, at }) => [id, { lastSeq: Number(last_seq), atMs: at.getTime() }]));
  return messages.map((message, i) => {
    const conversation = numbered.get(message.conversationId);
    const position = positions[i];
    if (conversation === undefined || position === undefined) return undefined;
    return entryOf(message, conversation.lastSeq + position, new Date(conversation.atMs + position - 1));
  });
}

function entryOf(message: AuthorizedMessage, seq: number, sentAt: Date): MessageEntry {
  const { conversationId, id, sender, recipient } = message;
  return {
    stream: conversationId,
    seq,
    message: { id, sender, recipient, ...pickBody(message), sentAt: sentAt.toISOString() },
  };
}
