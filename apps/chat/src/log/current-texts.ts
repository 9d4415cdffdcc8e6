import { type Queryable, type RowIn, sql, Statement } from '@waggle/service';
import { type ChatEvent, type Entry } from './entry';
import { messageTable } from './message.entity';
import { readQuotes } from './quotes';

/** Returns a row for each of the messages that is neither deleted nor gone. */
const currentTexts = new Statement({
  name: 'current-texts',
  text: `
    SELECT wanted.id, current.*
    FROM unnest($1::text[], $2::text[]) AS wanted (conversation_id, id)
    -- LATERAL with LIMIT forces one index lookup for each message.
    CROSS JOIN LATERAL (
      SELECT content, revision, edited_at, mentions FROM message
      WHERE conversation_id = wanted.conversation_id AND id = wanted.id AND deleted_at IS NULL LIMIT 1
    ) current`,
  parameters: { conversationIds: sql.arrayOf(messageTable.conversationId), ids: sql.arrayOf(messageTable.id) },
  columns: {
    id: sql.notNull(messageTable.id),
    content: messageTable.content,
    revision: messageTable.revision,
    edited_at: messageTable.editedAt,
    mentions: messageTable.mentions,
  },
});

type Edit = Extract<ChatEvent, { type: 'message-edited' }>;

/**
 * Adds the quotes of replies to entries that are read from the log, and gives edits the current text of their messages.
 * An edit of a message that is deleted or gone has no event.
 */
export async function withCurrentTexts(client: Queryable, entries: readonly Entry[]): Promise<Entry[]> {
  await readQuotes(client, entries);
  const edits = entries.flatMap((entry) => ('events' in entry ? entry.events.filter(isEdit) : []));
  if (edits.length === 0) return [...entries];
  const rows = await currentTexts.query(client, {
    conversationIds: edits.map(({ payload }) => payload.conversation_id),
    ids: edits.map(({ payload }) => payload.id),
  });
  const texts = new Map(rows.map((row) => [row.id, row]));
  const withCurrentText = (event: ChatEvent) =>
    isEdit(event) ? currentEdit(event, texts.get(event.payload.id)) : event;
  return entries.map((entry) =>
    'events' in entry
      ? { ...entry, events: entry.events.map(withCurrentText).filter((event) => event !== undefined) }
      : entry,
  );
}

/** Returns an edit with the current text of its message; undefined if the message is deleted or gone. */
function currentEdit(edit: Edit, text: RowIn<typeof currentTexts> | undefined): Edit | undefined {
  if (text === undefined || text.revision === null || text.edited_at === null) return undefined;
  const { id, conversation_id } = edit.payload;
  const { content, revision, edited_at, mentions } = text;
  const payload = { id, conversation_id, content, revision, edited_at: edited_at.toISOString() };
  return { ...edit, payload: mentions === null ? payload : { ...payload, mentions: [...mentions] } };
}

function isEdit(event: ChatEvent): event is Edit {
  return event.type === 'message-edited';
}
