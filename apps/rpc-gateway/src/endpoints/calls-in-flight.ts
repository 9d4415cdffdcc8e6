import { type Client } from '@waggle/service';

const limit = 'calls-at-once';

/** Limits the unanswered calls of each client, so that none occupies all connections to the nodes. */
export class CallsInFlight {
  private readonly calls = new Map<string, number>();

  /** @param maxCalls of a client, unless it has its own limit */
  constructor(private readonly maxCalls: number) {}

  allows(client: Client, calls: number): boolean {
    return (this.calls.get(client.keyFor(limit)) ?? 0) + calls <= (client.maxOf(limit) ?? this.maxCalls);
  }

  begin(client: Client, calls: number): void {
    const key = client.keyFor(limit);
    this.calls.set(key, (this.calls.get(key) ?? 0) + calls);
  }

  end(client: Client, calls: number): void {
    const key = client.keyFor(limit);
    const left = (this.calls.get(key) ?? 0) - calls;
    if (left > 0) this.calls.set(key, left);
    else this.calls.delete(key);
  }
}
