import { type Queryable, sql, Statement } from '@waggle/service';
import { type MessageEntry } from './entry';
import {
  bodyArrayParameters,
  bodyArrays,
  bodyColumns,
  bodyList,
  bodyParameters,
  selectBody,
  toBody,
  toBodyArrays,
  type MessageBody,
} from './message-body';

/** A message whose sender may write, as of a sequence number of the conversation. */
interface AuthorizedMessage extends MessageBody {
  id: string;
  conversationId: string;
  sender: string;
  /** The other account of a dm; null elsewhere. */
  recipient: string | null;
  clientId: string | null;
  /** The sequence number of the conversation as of which the sender may write. */
  authorizedSeq: number;
}

/**
 * Appends all queued messages in one statement: one round trip and one commit. Their conversations are locked until the commit, so
 * the order of `seq` is the order of commits. Nothing is stored in a conversation that was changed after its messages were authorized:
 * they have to be authorized again. The time of a message is at least one millisecond after that of the message before it, even if
 * the clock stands still or goes backwards. Conversations are locked in the order of their ids, so that batches do not deadlock.
 */
const appendToSeveral = new Statement({
  name: 'append-messages',
  text: `
  WITH locked AS MATERIALIZED (
    SELECT id, last_seq, last_message_at, changed_seq FROM conversation WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE
  ), numbered AS MATERIALIZED (
    SELECT l.id, l.last_seq, t.messages,
           greatest(date_trunc('milliseconds', clock_timestamp()), l.last_message_at + interval '1 millisecond') AS at
    FROM locked l JOIN unnest($1::text[], $2::bigint[], $3::int[]) AS t (id, authorized_seq, messages) ON t.id = l.id
    WHERE l.changed_seq <= t.authorized_seq
  ), advanced AS (
    UPDATE conversation c
    SET last_seq = n.last_seq + n.messages,
        last_message_at = n.at + (n.messages - 1) * interval '1 millisecond',
        updated_at = greatest(c.updated_at, n.at + (n.messages - 1) * interval '1 millisecond')
    FROM numbered n WHERE c.id = n.id
  ), stored AS (
    INSERT INTO message (conversation_id, seq, id, sender, recipient, client_id, sent_at, ${bodyList})
    SELECT n.id, n.last_seq + m.nth, m.id, m.sender, m.recipient, m.client_id,
           n.at + (m.nth - 1) * interval '1 millisecond', ${selectBody('m')}
    FROM unnest($4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], ${bodyArrayParameters(10)})
      AS m (conversation_id, nth, id, sender, recipient, client_id, ${bodyList})
    JOIN numbered n ON n.id = m.conversation_id
  ), logged AS (
    INSERT INTO commit_log (at, streams, seqs)
    SELECT clock_timestamp(), array_agg(id), array_agg(last_seq + messages) FROM numbered HAVING count(*) > 0
  )
  SELECT id, last_seq, at FROM numbered`,
  parameters: {
    conversationIds: sql.arrayOf(sql.text),
    authorizedSeqs: sql.arrayOf(sql.int8),
    counts: sql.arrayOf(sql.int4),
    /** Of each message: its conversation, and its number among the messages of that conversation, from 1. */
    conversationIdOfEach: sql.arrayOf(sql.text),
    nths: sql.arrayOf(sql.int4),
    ids: sql.arrayOf(sql.text),
    senders: sql.arrayOf(sql.text),
    recipients: sql.arrayOf(sql.nullable(sql.text)),
    clientIds: sql.arrayOf(sql.nullable(sql.text)),
    ...bodyArrays,
  },
  columns: { id: sql.text, last_seq: sql.int8, at: sql.notNull(sql.timestamptz) },
});

/**
 * Appends a single message, the usual case at low load. Without joins and arrays the server needs a third of the time of the other
 * statement.
 */
const appendOneMessage = new Statement({
  name: 'append-message',
  text: `
  WITH numbered AS (
    UPDATE conversation
    SET last_seq = last_seq + 1,
        last_message_at = greatest(statement_timestamp(), last_message_at + interval '1 millisecond'),
        updated_at = greatest(updated_at, statement_timestamp(), last_message_at + interval '1 millisecond')
    WHERE id = $1 AND changed_seq <= $2
    RETURNING id, last_seq, last_message_at
  ), logged AS (
    INSERT INTO commit_log (at, streams, seqs) SELECT clock_timestamp(), ARRAY[id], ARRAY[last_seq] FROM numbered
  )
  INSERT INTO message (conversation_id, seq, id, sender, recipient, client_id, sent_at, ${bodyList})
  SELECT id, last_seq, $3, $4, $5, $6, last_message_at, ${bodyParameters(7)} FROM numbered
  RETURNING seq, sent_at`,
  parameters: {
    conversationId: sql.text,
    authorizedSeq: sql.int8,
    id: sql.text,
    sender: sql.text,
    recipient: sql.nullable(sql.text),
    clientId: sql.nullable(sql.text),
    ...bodyColumns,
  },
  columns: { seq: sql.int8, sent_at: sql.timestamptz },
});

/**
 * Stores messages with the next sequence numbers of their conversations, in the given order.
 *
 * @param client in a transaction if the messages are part of a change
 * @returns the entries in the given order; undefined for a message that has to be authorized again
 */
export async function appendMessages(
  client: Queryable,
  messages: readonly AuthorizedMessage[],
): Promise<(MessageEntry | undefined)[]> {
  const [first] = messages;
  if (first === undefined) return [];
  return messages.length === 1 ? [await appendOne(client, first)] : await appendSeveral(client, messages);
}

async function appendOne(client: Queryable, message: AuthorizedMessage): Promise<MessageEntry | undefined> {
  const row = await appendOneMessage.find(client, message);
  return row && entryOf(message, Number(row.seq), row.sent_at);
}

async function appendSeveral(
  client: Queryable,
  messages: readonly AuthorizedMessage[],
): Promise<(MessageEntry | undefined)[]> {
  const conversations = new Map<string, { authorizedSeq: number; messages: number }>();
  const nths = messages.map(({ conversationId, authorizedSeq }) => {
    const conversation = conversations.get(conversationId) ?? { authorizedSeq, messages: 0 };
    conversations.set(conversationId, conversation);
    conversation.authorizedSeq = Math.min(conversation.authorizedSeq, authorizedSeq);
    return (conversation.messages += 1);
  });
  const rows = await appendToSeveral.query(client, {
    conversationIds: [...conversations.keys()],
    authorizedSeqs: Array.from(conversations.values(), ({ authorizedSeq }) => authorizedSeq),
    counts: Array.from(conversations.values(), (conversation) => conversation.messages),
    conversationIdOfEach: messages.map(({ conversationId }) => conversationId),
    nths,
    ids: messages.map(({ id }) => id),
    senders: messages.map(({ sender }) => sender),
    recipients: messages.map(({ recipient }) => recipient),
    clientIds: messages.map(({ clientId }) => clientId),
    ...toBodyArrays(messages),
  });
  const numbered = new Map(rows.map(({ id, last_seq, at }) => [id, { lastSeq: Number(last_seq), atMs: at.getTime() }]));
  return messages.map((message, i) => {
    const conversation = numbered.get(message.conversationId);
    const nth = nths[i];
    if (conversation === undefined || nth === undefined) return undefined;
    return entryOf(message, conversation.lastSeq + nth, new Date(conversation.atMs + nth - 1));
  });
}

function entryOf(message: AuthorizedMessage, seq: number, sentAt: Date): MessageEntry {
  const { conversationId, id, sender, recipient } = message;
  return {
    stream: conversationId,
    seq,
    message: { id, sender, recipient, ...toBody(message), sentAt: sentAt.toISOString() },
  };
}
