import type { ConversationChange } from '@waggle/client/browser';
import type { ChatMessage } from '../store/chat-data';

export interface MessageRow {
  kind: 'message';
  key: string;
  message: ChatMessage;
  date: Date;
  startsGroup: boolean;
  endsGroup: boolean;
}

/** A change of a group or channel between messages. */
export interface ChangeRow {
  kind: 'change';
  key: string;
  change: ConversationChange;
  date: Date;
}

/** What the list of messages shows, from top to bottom. */
export type Row = { kind: 'day'; key: string; date: Date } | { kind: 'unread'; key: string } | ChangeRow | MessageRow;

/** Messages of one account within this time belong together. */
const groupMs = 5 * 60_000;

const dates = new WeakMap<object, Date>();

/**
 * Puts changes between the messages, adds separators for days and for the first unread message, and groups messages of
 * one account.
 *
 * @param changes in ascending order, like the messages
 */
export function messageRows(
  messages: readonly ChatMessage[],
  changes: readonly ConversationChange[],
  firstUnreadId: string | undefined,
): Row[] {
  const rows: Row[] = [];
  let previous: ChangeRow | MessageRow | undefined;
  for (const item of bySeq(messages, changes)) {
    const date = dateOf(item);
    const isNewDay = previous === undefined || !isSameDay(previous.date, date);
    if (isNewDay) rows.push({ kind: 'day', key: `day-${keyOf(item)}`, date });
    if ('by' in item) {
      previous = { kind: 'change', key: keyOf(item), change: item, date };
    } else {
      const isUnread = item.id === firstUnreadId;
      if (isUnread) rows.push({ kind: 'unread', key: 'unread' });
      const continues =
        previous?.kind === 'message' &&
        !isNewDay &&
        !isUnread &&
        previous.message.from === item.from &&
        date.getTime() - previous.date.getTime() < groupMs;
      if (continues && previous?.kind === 'message') previous.endsGroup = false;
      previous = { kind: 'message', key: item.id, message: item, date, startsGroup: !continues, endsGroup: true };
    }
    rows.push(previous);
  }
  return rows;
}

function bySeq(
  messages: readonly ChatMessage[],
  changes: readonly ConversationChange[],
): readonly (ChatMessage | ConversationChange)[] {
  return changes.length === 0 ? messages : [...changes, ...messages].toSorted((a, b) => a.seq - b.seq);
}

/** The key of the row of a message or change. */
export function keyOf(item: ChatMessage | ConversationChange): string {
  return 'by' in item ? `change-${item.seq}` : item.id;
}

function dateOf(item: ChatMessage | ConversationChange): Date {
  const known = dates.get(item);
  if (known !== undefined) return known;
  const date = new Date(item.timestamp);
  dates.set(item, date);
  return date;
}

function isSameDay(a: Date, b: Date): boolean {
  return a.getDate() === b.getDate() && a.getMonth() === b.getMonth() && a.getFullYear() === b.getFullYear();
}
