import { NotificationStream, type NotificationStreamOptions } from '@waggle/client/notifications';
import { until } from '@waggle/testing';

/** A client of `GET /events` by the client library, which records what it receives. */
export class EventClient {
  readonly stream: NotificationStream;
  readonly messages: string[] = [];
  readonly ids: number[] = [];
  readonly resets: string[] = [];
  /** How often it connected. */
  connections = 0;
  ended: Error | true | undefined;

  constructor(options: NotificationStreamOptions) {
    this.stream = new NotificationStream({ backoff: { firstMs: 20, maxMs: 50, resetAfterMs: 1_000 }, ...options });
    this.stream.on('notification', ({ id, account, msg }) => {
      this.ids.push(id);
      this.messages.push(`${account}: ${msg}`);
    });
    this.stream.on('reset', ({ reason }) => this.resets.push(reason));
    this.stream.on('connected', () => {
      this.connections += 1;
    });
    this.stream.on('ended', ({ error }) => {
      this.ended = error ?? true;
    });
    this.stream.start();
  }

  /** Waits until the stream has reached a position, so that it receives later notifications. */
  async begun(): Promise<this> {
    await until(() => this.stream.lastEventId !== undefined);
    return this;
  }

  async receives(...messages: readonly string[]): Promise<void> {
    await until(() => this.messages.length >= messages.length, { actual: () => this.messages });
    expect(this.messages).toEqual(messages);
  }
}
