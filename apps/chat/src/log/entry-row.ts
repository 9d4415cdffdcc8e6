import { isJoined, type RowOf, sql } from '@waggle/service';
import { type Entry } from './entry';
import { body, toBody } from './message-body';
import { eventTable } from './event.entity';
import { messageTable } from './message.entity';

/** The columns of an entry, which is a row of `event` or of `message`: the columns of the other table are null. */
export const entryColumns = {
  stream: sql.notNull(eventTable.stream),
  seq: sql.notNull(eventTable.seq),
  events: sql.nullable(eventTable.events),
  joins: sql.nullable(eventTable.joins),
  leaves: sql.nullable(eventTable.leaves),
  subscriptions: sql.nullable(eventTable.subscriptions),
  id: sql.nullable(messageTable.id),
  sender: sql.nullable(messageTable.sender),
  recipient: messageTable.recipient,
  ...body.nullableColumns,
  at: sql.nullable(eventTable.at),
  deleted: sql.nullable(sql.bool),
};

/** SQL that selects `entryColumns`, except the stream, from `event`. */
export const selectEvent = `seq, events, joins, leaves, subscriptions,
  NULL AS id, NULL AS sender, NULL AS recipient, ${body.selectNull}, at, NULL::boolean AS deleted`;

/** SQL that selects the same columns from `message` or an alias of it. */
export const selectMessage = (message: string) => `${message}.seq,
  NULL::jsonb AS events, NULL::text[] AS joins, NULL::text[] AS leaves, NULL::jsonb AS subscriptions,
  ${message}.id, ${message}.sender, ${message}.recipient, ${body.selectFrom(message)}, ${message}.sent_at AS at,
  ${message}.deleted_at IS NOT NULL AS deleted`;

/** The columns of a message that are not null. */
const requiredColumns = ['id', 'sender', 'at', ...body.requiredColumns] as const;

/** Returns the entry in a row. */
export function toEntry(row: RowOf<typeof entryColumns>): Entry {
  const { stream, events } = row;
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
  if (row.deleted === true || !isJoined(row, requiredColumns)) {
    return { stream, seq, events: [], joins: [], leaves: [], subscriptions: [] };
  }
  const { id, sender, recipient, at } = row;
  return { stream, seq, message: { id, sender, recipient, ...toBody(row), sentAt: at.toISOString() } };
}
