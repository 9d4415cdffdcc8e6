import { type EventStream } from './event-stream';

/** The streams that get each new event at once, and the streams of each account among them. */
export class LiveStreams {
  private readonly streams = new Set<EventStream>();
  private readonly byAccount = new Map<string, Set<EventStream>>();

  has(stream: EventStream): boolean {
    return this.streams.has(stream);
  }

  all(): Iterable<EventStream> {
    return this.streams;
  }

  of(account: string): Iterable<EventStream> {
    return this.byAccount.get(account) ?? [];
  }

  add(stream: EventStream): void {
    this.streams.add(stream);
    for (const account of stream.accounts) {
      const streams = this.byAccount.get(account);
      if (streams === undefined) this.byAccount.set(account, new Set([stream]));
      else streams.add(stream);
    }
  }

  delete(stream: EventStream): void {
    if (!this.streams.delete(stream)) return;
    for (const account of stream.accounts) {
      const streams = this.byAccount.get(account);
      streams?.delete(stream);
      if (streams?.size === 0) this.byAccount.delete(account);
    }
  }
}
