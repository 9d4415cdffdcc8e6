import type { ChatMessage } from '../store/chat-data';

export interface MessageRow {
  kind: 'message';
  key: string;
  message: ChatMessage;
  date: Date;
  startsGroup: boolean;
  endsGroup: boolean;
}

/** What the list of messages shows, from top to bottom. */
export type Row = { kind: 'day'; key: string; date: Date } | { kind: 'unread'; key: string } | MessageRow;

/** Messages of one account within this time belong together. */
const groupMs = 5 * 60_000;

const dates = new WeakMap<ChatMessage, Date>();

/** Adds separators for days and for the first unread message, and groups messages of one account. */
export function messageRows(messages: readonly ChatMessage[], firstUnreadId: string | undefined): Row[] {
  const rows: Row[] = [];
  let previous: MessageRow | undefined;
  for (const message of messages) {
    const date = dateOf(message);
    const isNewDay = previous === undefined || !isSameDay(previous.date, date);
    const isUnread = message.id === firstUnreadId;
    if (isNewDay) rows.push({ kind: 'day', key: `day-${message.id}`, date });
    if (isUnread) rows.push({ kind: 'unread', key: 'unread' });
    const continues =
      previous !== undefined &&
      !isNewDay &&
      !isUnread &&
      previous.message.from === message.from &&
      date.getTime() - previous.date.getTime() < groupMs;
    if (continues && previous !== undefined) previous.endsGroup = false;
    previous = { kind: 'message', key: message.id, message, date, startsGroup: !continues, endsGroup: true };
    rows.push(previous);
  }
  return rows;
}

function dateOf(message: ChatMessage): Date {
  const known = dates.get(message);
  if (known !== undefined) return known;
  const date = new Date(message.timestamp);
  dates.set(message, date);
  return date;
}

function isSameDay(a: Date, b: Date): boolean {
  return a.getDate() === b.getDate() && a.getMonth() === b.getMonth() && a.getFullYear() === b.getFullYear();
}
