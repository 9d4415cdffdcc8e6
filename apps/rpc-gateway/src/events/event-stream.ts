import { type StreamedResponse } from '@waggle/service';
import { type NotificationType } from '../notifications/notification-types';
import { type EventPosition, formatEventId } from './event-id';
import { type EventPage } from './events.store';
import { eventText, type NotificationEvent } from './notification-event';
import { findResetReason, type ResetReason } from './reset-reason';

export interface EventStreamOptions {
  /** The limits count clients by this key. */
  readonly address: string;
  readonly accounts: readonly string[];
  /** The types of notifications to send; undefined for all. */
  readonly types: ReadonlySet<NotificationType> | undefined;
  /** The position of the last event that the client received; undefined to begin with the next event. */
  readonly position: EventPosition | undefined;
}

/** The event stream of one client: what it has received, and what it still gets. */
export class EventStream {
  readonly address: string;
  readonly accounts: readonly string[];
  private readonly types: ReadonlySet<NotificationType> | undefined;
  /** Nothing up to here is sent any more; undefined for a new stream until `beginAt`. */
  private position: EventPosition | undefined;
  private lastWriteMs = performance.now();
  private hasEnded = false;

  /** @param onSent is called with the number of events that were sent */
  constructor(
    readonly response: StreamedResponse,
    { address, accounts, types, position }: EventStreamOptions,
    private readonly onSent: (event: 'notification' | 'reset', count: number) => void,
  ) {
    this.address = address;
    this.accounts = accounts;
    this.types = types;
    this.position = position;
  }

  get isOpen(): boolean {
    return !this.hasEnded;
  }

  onClosed(listener: () => void): void {
    this.response.onClosed(() => {
      this.hasEnded = true;
      listener();
    });
  }

  /** Begins a new stream at a position, which its client receives. @returns the position of the stream */
  beginAt(current: EventPosition): EventPosition {
    if (this.position === undefined) {
      this.position = current;
      this.write(`${idLine(current)}\n`);
    }
    return this.position;
  }

  hasReached({ index, id }: EventPosition): boolean {
    return this.position?.index === index && this.position.id >= id;
  }

  /** Sends the events of a page that was read from the position of the stream, or a reset if some may be missing. */
  sendPage(page: EventPage): void {
    const reason = findResetReason(this.position, page);
    if (reason !== undefined) {
      this.reset(reason, page);
      return;
    }
    const events = page.events.filter(({ type }) => this.accepts(type));
    if (events.length > 0) {
      this.write(events.map(({ text }) => text()).join(''));
      this.onSent('notification', events.length);
    }
    const last = page.isFull ? page.events.at(-1) : undefined;
    const { id = page.end } = last ?? {};
    if (!this.hasReached({ index: page.index, id })) this.position = { index: page.index, id };
  }

  /** Sends a new event, unless the stream sent it already or its type is not wanted. */
  sendEvent(index: string, { id, type, text }: NotificationEvent): void {
    if (!this.accepts(type) || this.hasReached({ index, id })) return;
    this.write(text());
    this.position = { index, id };
    this.onSent('notification', 1);
  }

  /** Reports that events may be missing, and continues at the end of the index. */
  reset(reason: ResetReason, { index, end: id }: Pick<EventPage, 'index' | 'end'>): void {
    this.position = { index, id };
    this.write(eventText({ id: formatEventId(this.position), event: 'reset', data: JSON.stringify({ reason }) }));
    this.onSent('reset', 1);
  }

  /**
   * Writes a comment if nothing was written since `beforeMs`, so that proxies keep the connection and the client
   * notices its loss.
   *
   * @param current the position that the stream has reached; an id without data moves the position that the client
   * resumes from
   */
  sendHeartbeat(beforeMs: number, current: EventPosition | undefined): void {
    if (this.response.isFull || this.lastWriteMs > beforeMs) return;
    if (current !== undefined && !this.hasReached(current)) this.position = current;
    this.write(this.position === undefined ? ':\n\n' : `:\n${idLine(this.position)}\n`);
  }

  /**
   * Sets the pause before the client reconnects, which is random so that the clients of an instance do not return at
   * once.
   */
  suggestRetry(): void {
    this.write(retryHint());
  }

  /** Ends the stream, so that the client continues at another instance. */
  end(): void {
    this.hasEnded = true;
    this.response.end(retryHint());
  }

  private accepts(type: NotificationType): boolean {
    return this.types === undefined || this.types.has(type);
  }

  /**
   * Writes the text, or cuts off a client that leaves too much unread. It can resume from the last event that it
   * received.
   */
  private write(text: string): void {
    if (this.hasEnded) return;
    this.lastWriteMs = performance.now();
    if (this.response.write(text) === undefined) return;
    this.hasEnded = true;
    this.response.cut();
  }
}

function idLine(position: EventPosition): string {
  return `id: ${formatEventId(position)}\n`;
}

const minRetryMs = 1_000;
const maxRetryMs = 4_000;

function retryHint(): string {
  return `retry: ${Math.round(minRetryMs + Math.random() * (maxRetryMs - minRetryMs))}\n\n`;
}
