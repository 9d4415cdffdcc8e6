import { typeAndTimeOf } from '../notifications/notification-id';
import { itemJson, type NotificationRow } from '../notifications/notification-items';
import { type NotificationType } from '../notifications/notification-types';
import { formatEventId } from './event-id';

/** A notification as an event. */
export interface NotificationEvent {
  readonly id: bigint;
  readonly account: string;
  readonly type: NotificationType;
  /** Formats the event: the item of `bridge.account_notifications`, with the account. */
  readonly text: () => string;
}

/** Returns an event, which is formatted once, when the first stream needs it. @param index the name of the index */
export function toEvent(index: string, id: string, row: NotificationRow): NotificationEvent {
  const account = row.recipient ?? '';
  const position = { index, id: BigInt(id) };
  let text: string | undefined;
  const format = () =>
    eventText({
      id: formatEventId(position),
      event: 'notification',
      data: `{"account":"${account}",${itemJson(id, row).slice(1)}`,
    });
  return { id: position.id, account, type: typeAndTimeOf(position.id).type, text: () => (text ??= format()) };
}

/** Formats an event of a stream. @param data without line breaks */
export function eventText({ id, event, data }: { id: string; event: string; data: string }): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}
