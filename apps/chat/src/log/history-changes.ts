import { type ConversationChange, type ConversationType } from '@waggle/contracts';
import { sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { conversationChangeTable } from './conversation-change.entity';
import { type ChangeEntry, type ChatEvent } from './entry';

const insertConversationChanges = new Statement({
  name: 'insert-conversation-changes',
  text: `
    INSERT INTO conversation_change (conversation_id, seq, at, type, by, username, name)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])`,
  parameters: {
    conversationIds: sql.arrayOf(conversationChangeTable.conversationId),
    seqs: sql.arrayOf(conversationChangeTable.seq),
    ats: sql.arrayOf(conversationChangeTable.at),
    types: sql.arrayOf(conversationChangeTable.type),
    by: sql.arrayOf(conversationChangeTable.by),
    usernames: sql.arrayOf(conversationChangeTable.username),
    names: sql.arrayOf(conversationChangeTable.name),
  },
  columns: {},
});

type Shown = Pick<ConversationChange, 'type' | 'username' | 'name'>;

/**
 * Marks the events that the history shows as made by an account, now. In a channel, which everybody can read, it does
 * not show who was removed.
 */
export function madeBy(account: string, events: readonly ChatEvent[], type?: ConversationType): ChatEvent[] {
  const made = { by: account, timestamp: new Date().toISOString() };
  const isHidden = (event: ChatEvent) => type === 'channel' && event.type === 'member-removed';
  return events.map((event) => (shownOf(event) === undefined || isHidden(event) ? event : { ...event, made }));
}

/**
 * Stores what the history shows of entries, within their transaction. An entry has at most one such event, and its
 * sequence number identifies the change.
 */
export async function storeHistoryChanges(client: ClientBase, entries: readonly ChangeEntry[]): Promise<void> {
  const rows = entries.flatMap(({ stream, seq, events }) =>
    events.flatMap((event) => {
      const shown = shownOf(event);
      return event.made === undefined || shown === undefined ? [] : [{ stream, seq, ...event.made, ...shown }];
    }),
  );
  if (rows.length === 0) return;
  await insertConversationChanges.execute(client, {
    conversationIds: rows.map(({ stream }) => stream),
    seqs: rows.map(({ seq }) => seq),
    ats: rows.map(({ timestamp }) => new Date(timestamp)),
    types: rows.map(({ type }) => type),
    by: rows.map(({ by }) => by),
    usernames: rows.map(({ username }) => username),
    names: rows.map(({ name }) => name),
  });
}

/** What the history shows of an event; undefined if nothing. */
function shownOf({ type, payload }: ChatEvent): Shown | undefined {
  switch (type) {
    case 'member-added':
    case 'member-removed':
    case 'moderator-added':
    case 'moderator-removed':
      return { type, username: payload.username, name: null };
    case 'member-left':
      return { type, username: payload.member, name: null };
    case 'conversation-renamed':
      return { type, username: null, name: payload.name };
    default:
      return undefined;
  }
}
