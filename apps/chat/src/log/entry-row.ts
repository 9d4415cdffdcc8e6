import { type RowOf, sql } from '@waggle/service';
import { type ChatEvent, type Entry, type Subscription } from './entry';

/** The columns of `event` and of `message`; those of the other table are null. */
export const entryColumns = {
  stream: sql.notNull(sql.text),
  seq: sql.notNull(sql.int8),
  events: sql.nullable(sql.jsonb<readonly ChatEvent[]>()),
  joins: sql.nullable(sql.arrayOf(sql.text)),
  leaves: sql.nullable(sql.arrayOf(sql.text)),
  subscriptions: sql.nullable(sql.jsonb<readonly Subscription[]>()),
  id: sql.nullable(sql.text),
  sender: sql.nullable(sql.text),
  recipient: sql.nullable(sql.text),
  content: sql.nullable(sql.text),
  at: sql.nullable(sql.timestamptz),
  deleted: sql.nullable(sql.bool),
};

/** The text of `entryColumns` but the stream, from `event` and from `message`. */
export const eventColumns =
  'seq, events, joins, leaves, subscriptions, NULL AS id, NULL AS sender, NULL AS recipient, NULL AS content, at, NULL::boolean AS deleted';
export const messageColumns =
  'seq, NULL AS events, NULL AS joins, NULL AS leaves, NULL AS subscriptions, id, sender, recipient, content, sent_at AS at, deleted_at IS NOT NULL AS deleted';

export function toEntry(row: RowOf<typeof entryColumns>): Entry {
  const { stream, events, id, sender, recipient, content, at } = row;
  const seq = Number(row.seq);
  if (events !== null) {
    return {
      stream,
      seq,
      events,
      joins: row.joins ?? [],
      leaves: row.leaves ?? [],
      subscriptions: row.subscriptions ?? [],
    };
  }
  // A deleted message keeps its sequence number and has no events.
  if (row.deleted === true || id === null || sender === null || content === null || at === null) {
    return { stream, seq, events: [], joins: [], leaves: [], subscriptions: [] };
  }
  return { stream, seq, message: { id, sender, recipient, content, sentAt: at.toISOString() } };
}
