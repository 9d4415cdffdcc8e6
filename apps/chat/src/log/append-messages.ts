import { newIdentifier, type Queryable, sql, Statement } from '@waggle/service';
import { type MessageEntry } from './entry';
import { readQuotes } from './quotes';
import { findMentions, noMentions } from './mentions';
import { mentionTable } from './mention.entity';
import { newBody, pickBody, type MessageBody } from './message-body';
import { conversationTable } from './conversation.entity';
import { messageTable } from './message.entity';

/** A message to store. */
export interface NewMessage extends MessageBody {
  id: string;
  conversationId: string;
  sender: string;
  /** The idempotency key of the client: a message of the same sender, conversation and key is stored once. */
  clientId: string | null;
  /** The id of the message that it replies to. `MessageQueue` finds that message and sets `repliedTo`. */
  replyTo?: string | undefined;
  /** The sender of that message. */
  repliedToSender?: string | undefined;
}

/** What is known of a message before the conversation exists. */
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
 * Appends messages of any number of conversations in one statement: one round trip and one commit. It locks the
 * conversations until the commit, so that the order of `seq` is the order of commits, and in the order of their ids, so
 * that batches do not deadlock. It stores nothing in a conversation whose entries may have changed who may write since
 * the authorization: its messages have to be authorized again. Each message is at least one millisecond later than the
 * message before it, even if the clock stands still or goes backwards.
 */
const insertMessages = new Statement({
  name: 'append-messages',
  text: `
  WITH locked AS MATERIALIZED (
    SELECT id, last_seq, last_message_at, changed_seq FROM conversation WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE
  ), numbered AS MATERIALIZED (
    SELECT l.id, l.last_seq, t.message_count,
           greatest(date_trunc('milliseconds', clock_timestamp()), l.last_message_at + interval '1 millisecond') AS at
    FROM locked l JOIN unnest($1::text[], $2::bigint[], $3::int[]) AS t (id, authorized_seq, message_count) ON t.id = l.id
    WHERE l.changed_seq <= t.authorized_seq
  ), advanced AS (
    UPDATE conversation c
    SET last_seq = n.last_seq + n.message_count,
        last_message_at = n.at + (n.message_count - 1) * interval '1 millisecond',
        updated_at = greatest(c.updated_at, n.at + (n.message_count - 1) * interval '1 millisecond')
    FROM numbered n WHERE c.id = n.id
  ), stored AS (
    INSERT INTO message (conversation_id, seq, id, sender, recipient, client_id, sent_at, ${newBody.names})
    SELECT n.id, n.last_seq + m.position, m.id, m.sender, m.recipient, m.client_id,
           n.at + (m.position - 1) * interval '1 millisecond', ${newBody.selectFrom('m')}
    FROM unnest($4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], ${newBody.arrays.placeholders(10)})
      AS m (conversation_id, position, id, sender, recipient, client_id, ${newBody.names})
    JOIN numbered n ON n.id = m.conversation_id
    RETURNING conversation_id, seq, id, sender, sent_at
  ), mentioned AS (
    INSERT INTO mention (account, conversation_id, seq, message_seq, sender, at)
    SELECT m.account, stored.conversation_id, stored.seq, stored.seq, stored.sender, stored.sent_at
    FROM unnest($${10 + newBody.columnCount}::text[], $${11 + newBody.columnCount}::text[]) AS m (account, id) JOIN stored ON stored.id = m.id
  ), logged AS (
    INSERT INTO commit_log (at, streams, seqs)
    SELECT clock_timestamp(), array_agg(id), array_agg(last_seq + message_count) FROM numbered HAVING count(*) > 0
  )
  SELECT id, last_seq, at FROM numbered`,
  parameters: {
    conversationIds: sql.arrayOf(conversationTable.id),
    authorizedSeqs: sql.arrayOf(conversationTable.changedSeq),
    messageCounts: sql.arrayOf(sql.int4),
    conversationIdOfEach: sql.arrayOf(messageTable.conversationId),
    /** The position of each message among the messages of its conversation, from 1. */
    positions: sql.arrayOf(sql.int4),
    ids: sql.arrayOf(messageTable.id),
    senders: sql.arrayOf(messageTable.sender),
    recipients: sql.arrayOf(messageTable.recipient),
    clientIds: sql.arrayOf(messageTable.clientId),
    ...newBody.arrays.parameters,
    mentionedAccounts: sql.arrayOf(mentionTable.account),
    /** The message that mentions each of these accounts. */
    mentionIds: sql.arrayOf(messageTable.id),
  },
  columns: { id: conversationTable.id, last_seq: conversationTable.lastSeq, at: sql.notNull(messageTable.sentAt) },
});

/**
 * Appends a single message, the usual case at low load. Without joins and arrays the server needs a third of the time
 * of `insertMessages`.
 */
const insertMessage = new Statement({
  name: 'append-message',
  text: `
  WITH advanced AS (
    UPDATE conversation
    SET last_seq = last_seq + 1,
        last_message_at = greatest(statement_timestamp(), last_message_at + interval '1 millisecond'),
        updated_at = greatest(updated_at, statement_timestamp(), last_message_at + interval '1 millisecond')
    WHERE id = $1 AND changed_seq <= $2
    RETURNING id, last_seq, last_message_at
  ), logged AS (
    INSERT INTO commit_log (at, streams, seqs) SELECT clock_timestamp(), ARRAY[id], ARRAY[last_seq] FROM advanced
  ), stored AS (
    INSERT INTO message (conversation_id, seq, id, sender, recipient, client_id, sent_at, ${newBody.names})
    SELECT id, last_seq, $3, $4, $5, $6, last_message_at, ${newBody.placeholders(7)} FROM advanced
    RETURNING seq, sent_at
  ), mentioned AS (
    INSERT INTO mention (account, conversation_id, seq, message_seq, sender, at)
    SELECT account, $1, seq, seq, $4, sent_at FROM stored CROSS JOIN unnest($${7 + newBody.columnCount}::text[]) AS m (account)
  )
  SELECT seq, sent_at FROM stored`,
  parameters: {
    conversationId: conversationTable.id,
    authorizedSeq: conversationTable.changedSeq,
    id: messageTable.id,
    sender: messageTable.sender,
    recipient: messageTable.recipient,
    clientId: messageTable.clientId,
    ...newBody.parameters,
    mentionedAccounts: sql.arrayOf(mentionTable.account),
  },
  columns: { seq: messageTable.seq, sent_at: messageTable.sentAt },
});

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
  const mentioning = messages.map((message, i): MessageWithMentions => {
    const { ranges, accounts } = mentions[i] ?? noMentions;
    return { ...message, mentions: ranges, mentionedAccounts: accounts };
  });
  const [only] = mentioning;
  const entries =
    mentioning.length === 1 && only ? [await appendOne(client, only)] : await appendSeveral(client, mentioning);
  await addQuotesAfterwards(
    client,
    entries.filter((entry) => entry !== undefined),
  );
  return entries;
}

/**
 * Reads quotes after the messages are stored: an edit that was committed while they waited for the lock precedes them
 * in the stream. If that fails, the messages are delivered without quotes, since they are stored.
 */
async function addQuotesAfterwards(client: Queryable, entries: MessageEntry[]): Promise<void> {
  try {
    await readQuotes(client, entries);
  } catch {
    // A transaction fails with its next statement.
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
  const positions = messages.map(({ conversationId, authorizedSeq }) => {
    const conversation = conversations.get(conversationId) ?? { authorizedSeq, messageCount: 0 };
    conversations.set(conversationId, conversation);
    conversation.authorizedSeq = Math.min(conversation.authorizedSeq, authorizedSeq);
    return (conversation.messageCount += 1);
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
