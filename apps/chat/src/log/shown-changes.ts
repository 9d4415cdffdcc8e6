import { type ConversationChange } from '@waggle/contracts';
import { sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { conversationChangeTable } from './conversation-change.entity';
import { type ChangeEntry, type ChatEvent } from './entry';

const insertConversationChanges = new Statement({
  name: 'insert-conversation-changes',
  text: `
    INSERT INTO conversation_change (conversation_id, seq, at, type, by, username, name)
    SELECT conversation_id, seq, clock_timestamp(), type, by, username, name
    FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
      AS c (conversation_id, seq, type, by, username, name)`,
  parameters: {
    conversationIds: sql.arrayOf(conversationChangeTable.conversationId),
    seqs: sql.arrayOf(conversationChangeTable.seq),
    types: sql.arrayOf(conversationChangeTable.type),
    by: sql.arrayOf(conversationChangeTable.by),
    usernames: sql.arrayOf(conversationChangeTable.username),
    names: sql.arrayOf(conversationChangeTable.name),
  },
  columns: {},
});

/** What the history shows of an event. */
type Shown = Pick<ConversationChange, 'type' | 'username' | 'name'>;

/** An entry of a conversation, and who made the change: absent if the history does not show it. */
interface MadeChange {
  by?: string | undefined;
  entry: ChangeEntry;
}

/** Stores what the history of conversations shows of changes, within their transaction. */
export async function storeShownChanges(client: ClientBase, changes: readonly MadeChange[]): Promise<void> {
  const rows = changes.flatMap(({ by, entry: { stream, seq, events } }) =>
    by === undefined ? [] : events.flatMap(shownOf).map((shown) => ({ conversationId: stream, seq, by, ...shown })),
  );
  if (rows.length === 0) return;
  await insertConversationChanges.execute(client, {
    conversationIds: rows.map(({ conversationId }) => conversationId),
    seqs: rows.map(({ seq }) => seq),
    types: rows.map(({ type }) => type),
    by: rows.map(({ by }) => by),
    usernames: rows.map(({ username }) => username),
    names: rows.map(({ name }) => name),
  });
}

function shownOf({ type, payload }: ChatEvent): Shown[] {
  switch (type) {
    case 'member-added':
    case 'member-removed':
    case 'moderator-added':
    case 'moderator-removed':
      return [{ type, username: payload.username, name: null }];
    case 'member-left':
      return [{ type, username: payload.member, name: null }];
    case 'conversation-renamed':
      return [{ type, username: null, name: payload.name }];
    default:
      return [];
  }
}
