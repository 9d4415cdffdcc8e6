/** Counts by address the calls that are not answered yet, so that no caller takes all places at the nodes. */
export class CallsUnderWay {
  private readonly calls = new Map<string, number>();

  /** @param most of one address at once */
  constructor(private readonly most: number) {}

  hasRoom(address: string, calls: number): boolean {
    return (this.calls.get(address) ?? 0) + calls <= this.most;
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
