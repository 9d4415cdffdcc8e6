import { quoteCharacters, type Quote } from '@waggle/contracts';
import { type Queryable, type RowOf, sql, Statement } from '@waggle/service';
import { type Entry } from './entry';
import { type RepliedTo } from './message-body';
import { messageTable } from './message.entity';

const quoteColumns = {
  /** The position of the message among the wanted ones, from 1. */
  position: sql.notNull(sql.int4),
  seq: messageTable.seq,
  id: messageTable.id,
  sender: messageTable.sender,
  /** Null if the message was deleted. */
  content: sql.nullable(messageTable.content),
};

/** SQL for the quotes of messages of the conversations `$1`. @param key the column that `$2` has the values of */
const selectQuotes = (key: 'seq' | 'id', type: 'bigint' | 'text') => `
    SELECT wanted.position::int, quoted.*
    FROM unnest($1::text[], $2::${type}[]) WITH ORDINALITY AS wanted (conversation_id, key, position)
    -- LATERAL with LIMIT forces one index lookup for each message.
    CROSS JOIN LATERAL (
      SELECT seq, id, sender, CASE WHEN deleted_at IS NULL THEN left(content, ${quoteCharacters}) END AS content
      FROM message WHERE conversation_id = wanted.conversation_id AND ${key} = wanted.key LIMIT 1
    ) quoted`;

const quotesBySeq = new Statement({
  name: 'quotes-by-seq',
  text: selectQuotes('seq', 'bigint'),
  parameters: { conversationIds: sql.arrayOf(messageTable.conversationId), seqs: sql.arrayOf(messageTable.seq) },
  columns: quoteColumns,
});

const quotesById = new Statement({
  name: 'quotes-by-id',
  text: selectQuotes('id', 'text'),
  parameters: { conversationIds: sql.arrayOf(messageTable.conversationId), ids: sql.arrayOf(messageTable.id) },
  columns: quoteColumns,
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
  const rows = await quotesBySeq.query(client, {
    conversationIds: replies.map(({ conversationId }) => conversationId),
    seqs: replies.map(({ repliedTo }) => repliedTo.seq),
  });
  for (const row of rows) {
    const reply = replies[row.position - 1];
    if (reply !== undefined) reply.repliedTo.quote = toQuote(row);
  }
}

/** Does the same for entries. @returns the entries */
export async function withQuotes<E extends Entry>(client: Queryable, entries: E[]): Promise<E[]> {
  await addQuotes(
    client,
    entries.flatMap((entry) =>
      'message' in entry ? [{ conversationId: entry.stream, repliedTo: entry.message.repliedTo }] : [],
    ),
  );
  return entries;
}

/**
 * Finds messages by their ids, each in one conversation.
 * @returns what was found, in the given order; undefined for an id that its conversation does not have
 */
export async function findRepliedTo(
  client: Queryable,
  wanted: readonly { conversationId: string; id: string }[],
): Promise<(Required<RepliedTo> | undefined)[]> {
  const rows = await quotesById.query(client, {
    conversationIds: wanted.map(({ conversationId }) => conversationId),
    ids: wanted.map(({ id }) => id),
  });
  const found = new Map(rows.map((row) => [row.position, { seq: Number(row.seq), quote: toQuote(row) }]));
  return wanted.map((_, i) => found.get(i + 1));
}

function toQuote({ id, sender, content }: RowOf<typeof quoteColumns>): Quote {
  return { id, from: sender, content };
}
