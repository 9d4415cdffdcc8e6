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
export interface AuthorizedMessage extends MessageBody {
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
 * One statement for all messages that wait, so one round trip and one commit. What it stores into is locked until the
 * commit, so the order of `seq` is the order of commits. Where a conversation was changed after the message was judged,
 * nothing is stored: it has to be judged anew. A time is at least one millisecond after the one before: clocks stand still
 * and go backwards, the times of a conversation do not. Conversations are locked in the order of their ids, so that batches
 * never deadlock.
 */
const appendToSeveral = new Statement({
  name: 'append-messages',
  text: `
  WITH locked AS MATERIALIZED (
    SELECT id, last_seq, last_message_at, changed_seq FROM conversation WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE
  ), place AS MATERIALIZED (
    SELECT l.id, l.last_seq, t.messages,
           greatest(date_trunc('milliseconds', clock_timestamp()), l.last_message_at + interval '1 millisecond') AS at
    FROM locked l JOIN unnest($1::text[], $2::bigint[], $3::int[]) AS t (id, authorized_seq, messages) ON t.id = l.id
    WHERE l.changed_seq <= t.authorized_seq
  ), advanced AS (
    UPDATE conversation c
    SET last_seq = p.last_seq + p.messages,
        last_message_at = p.at + (p.messages - 1) * interval '1 millisecond',
        updated_at = greatest(c.updated_at, p.at + (p.messages - 1) * interval '1 millisecond')
    FROM place p WHERE c.id = p.id
  ), stored AS (
    INSERT INTO message (conversation_id, seq, id, sender, recipient, client_id, sent_at, ${bodyList})
    SELECT p.id, p.last_seq + m.nth, m.id, m.sender, m.recipient, m.client_id,
           p.at + (m.nth - 1) * interval '1 millisecond', ${selectBody('m')}
    FROM unnest($4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], ${bodyArrayParameters(10)})
      AS m (conversation_id, nth, id, sender, recipient, client_id, ${bodyList})
    JOIN place p ON p.id = m.conversation_id
  ), logged AS (
    INSERT INTO commit_log (at, streams, seqs)
    SELECT clock_timestamp(), array_agg(id), array_agg(last_seq + messages) FROM place HAVING count(*) > 0
  )
  SELECT id, last_seq, at FROM place`,
  parameters: {
    conversationIds: sql.arrayOf(sql.text),
    authorizedSeqs: sql.arrayOf(sql.int8),
    counts: sql.arrayOf(sql.int4),
    /** Of each message: its conversation, and its number among the messages of that, from 1. */
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
 * The same for a message by itself, which is what comes while little is said: nothing is joined and there are no lists, so
 * the server takes a third of the time that it takes for the other.
 */
const appendOneMessage = new Statement({
  name: 'append-message',
  text: `
  WITH place AS (
    UPDATE conversation
    SET last_seq = last_seq + 1,
        last_message_at = greatest(statement_timestamp(), last_message_at + interval '1 millisecond'),
        updated_at = greatest(updated_at, statement_timestamp(), last_message_at + interval '1 millisecond')
    WHERE id = $1 AND changed_seq <= $2
    RETURNING id, last_seq, last_message_at
  ), logged AS (
    INSERT INTO commit_log (at, streams, seqs) SELECT clock_timestamp(), ARRAY[id], ARRAY[last_seq] FROM place
  )
  INSERT INTO message (conversation_id, seq, id, sender, recipient, client_id, sent_at, ${bodyList})
  SELECT id, last_seq, $3, $4, $5, $6, last_message_at, ${bodyParameters(7)} FROM place
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
 * Stores the messages, each at the next place of its conversation, in the given order.
 *
 * @param client with a transaction open where the messages belong to more than themselves
 * @returns each message at its place, in the given order; undefined where it has to be judged anew
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
    const so = conversations.get(conversationId) ?? { authorizedSeq, messages: 0 };
    conversations.set(conversationId, so);
    so.authorizedSeq = Math.min(so.authorizedSeq, authorizedSeq);
    return (so.messages += 1);
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
  const places = new Map(rows.map(({ id, last_seq, at }) => [id, { lastSeq: Number(last_seq), atMs: at.getTime() }]));
  return messages.map((message, i) => {
    const place = places.get(message.conversationId);
    const nth = nths[i];
    if (place === undefined || nth === undefined) return undefined;
    return entryOf(message, place.lastSeq + nth, new Date(place.atMs + nth - 1));
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
