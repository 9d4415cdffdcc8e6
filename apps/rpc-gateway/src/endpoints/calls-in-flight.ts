/** Limits the unanswered calls of each address, so that no client occupies all connections to the nodes. */
export class CallsInFlight {
  private readonly calls = new Map<string, number>();

  /** @param maxCalls of one address */
  constructor(private readonly maxCalls: number) {}

  allows(address: string, calls: number): boolean {
    return (this.calls.get(address) ?? 0) + calls <= this.maxCalls;
  }

  begin(address: string, calls: number): void {
    this.calls.set(address, (this.calls.get(address) ?? 0) + calls);
  }

  end(address: string, calls: number): void {
    const left = (this.calls.get(address) ?? 0) - calls;
    if (left > 0) this.calls.set(address, left);
    else this.calls.delete(address);
  }
}
