import { type Client } from '@waggle/service';

/** Limits the unanswered calls of each client, so that none occupies all connections to the nodes. */
export class CallsInFlight {
  private readonly calls = new Map<string, number>();

  /** @param maxCalls of a client, unless it has its own limit */
  constructor(private readonly maxCalls: number) {}

  allows({ key, limits }: Client, calls: number): boolean {
    return (this.calls.get(key) ?? 0) + calls <= (limits['calls-at-once'] ?? this.maxCalls);
  }

  begin({ key }: Client, calls: number): void {
    this.calls.set(key, (this.calls.get(key) ?? 0) + calls);
  }

  end({ key }: Client, calls: number): void {
    const left = (this.calls.get(key) ?? 0) - calls;
    if (left > 0) this.calls.set(key, left);
    else this.calls.delete(key);
  }
}
