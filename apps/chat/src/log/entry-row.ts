import { type ChatEvent, type Entry, type Subscription } from './entry';

/** A row of `event`, or of `message` with the columns of `event` null. */
export interface EntryRow {
  stream: string;
  seq: string;
  events: readonly ChatEvent[] | null;
  joins: string[] | null;
  leaves: string[] | null;
  subscriptions: readonly Subscription[] | null;
  id: string | null;
  sender: string | null;
  recipient: string | null;
  content: string | null;
  at: Date;
  deleted: boolean | null;
}

/** The columns of an `EntryRow` but its stream, from `event` and from `message`. */
export const eventColumns =
  'seq, events, joins, leaves, subscriptions, NULL AS id, NULL AS sender, NULL AS recipient, NULL AS content, at, NULL::boolean AS deleted';
export const messageColumns =
  'seq, NULL AS events, NULL AS joins, NULL AS leaves, NULL AS subscriptions, id, sender, recipient, content, sent_at AS at, deleted_at IS NOT NULL AS deleted';

export function toEntry(row: EntryRow): Entry {
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
  if (row.deleted === true || id === null || sender === null || content === null) {
    return { stream, seq, events: [], joins: [], leaves: [], subscriptions: [] };
  }
  return { stream, seq, message: { id, sender, recipient, content, sentAt: at.toISOString() } };
}
