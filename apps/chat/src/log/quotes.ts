import { quoteCharacters } from '@waggle/contracts';
import { type Queryable, sql, Statement } from '@waggle/service';
import { type Entry } from './entry';
import { type RepliedTo } from './message-body';
import { messageTable } from './message.entity';

/** Returns a row for each message by conversation and sequence number, also if it was deleted. */
const quotesOfMessages = new Statement({
  name: 'quotes-of-messages',
  text: `
    SELECT wanted.position::int, quoted.*
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted (conversation_id, seq, position)
    -- LATERAL with LIMIT forces one index lookup for each message.
    CROSS JOIN LATERAL (
      SELECT id, sender, CASE WHEN deleted_at IS NULL THEN left(content, ${quoteCharacters}) END AS content
      FROM message WHERE conversation_id = wanted.conversation_id AND seq = wanted.seq LIMIT 1
    ) quoted`,
  parameters: { conversationIds: sql.arrayOf(messageTable.conversationId), seqs: sql.arrayOf(messageTable.seq) },
  columns: {
    /** The position of the message among the wanted ones, from 1. */
    position: sql.notNull(sql.int4),
    id: messageTable.id,
    sender: messageTable.sender,
    /** Null if the message was deleted. */
    content: sql.nullable(messageTable.content),
  },
});

/** Returns a row for each message by conversation and id, also if it was deleted. */
const messagesById = new Statement({
  name: 'messages-by-id',
  text: `
    SELECT wanted.position::int, found.*
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (conversation_id, id, position)
    CROSS JOIN LATERAL (
      SELECT seq, sender FROM message WHERE conversation_id = wanted.conversation_id AND id = wanted.id LIMIT 1
    ) found`,
  parameters: { conversationIds: sql.arrayOf(messageTable.conversationId), ids: sql.arrayOf(messageTable.id) },
  columns: { position: sql.notNull(sql.int4), seq: messageTable.seq, sender: messageTable.sender },
});

/** A message that replies to another one, or not. */
interface MaybeReply {
  conversationId: string;
  repliedTo?: RepliedTo | undefined;
}

/** Reads the quotes of the messages that are replies, and adds them. Without replies it reads nothing. */
export async function addQuotes(client: Queryable, messages: readonly MaybeReply[]): Promise<void> {
  const replies = messages.flatMap(({ conversationId, repliedTo }) =>
    repliedTo === undefined ? [] : [{ conversationId, repliedTo }],
  );
  if (replies.length === 0) return;
  const rows = await quotesOfMessages.query(client, {
    conversationIds: replies.map(({ conversationId }) => conversationId),
    seqs: replies.map(({ repliedTo }) => repliedTo.seq),
  });
  for (const row of rows) {
    const reply = replies[row.position - 1];
    if (reply !== undefined) reply.repliedTo.quote = { id: row.id, from: row.sender, content: row.content };
  }
}

/** Does the same for entries. */
export async function readQuotes(client: Queryable, entries: readonly Entry[]): Promise<void> {
  await addQuotes(
    client,
    entries.flatMap((entry) =>
      'message' in entry ? [{ conversationId: entry.stream, repliedTo: entry.message.repliedTo }] : [],
    ),
  );
}

/**
 * Finds messages that others reply to, each in one conversation, also deleted ones.
 * @returns in the given order; undefined for a message that its conversation does not have
 */
export async function findMessages(
  client: Queryable,
  wanted: readonly { conversationId: string; id: string }[],
): Promise<({ seq: number; sender: string } | undefined)[]> {
  const rows = await messagesById.query(client, {
    conversationIds: wanted.map(({ conversationId }) => conversationId),
    ids: wanted.map(({ id }) => id),
  });
  const found = new Map(rows.map(({ position, seq, sender }) => [position, { seq: Number(seq), sender }]));
  return wanted.map((_, i) => found.get(i + 1));
}
