/** Which blocks of the chain can no longer be undone. */
export class Irreversibility {
  private raisedTo = 0;
  private heldAt: number | undefined;

  /** @param lagBlocks how many blocks the last irreversible one is behind the head. */
  constructor(private readonly lagBlocks: number) {}

  /** Returns the last irreversible block for a node with this head. */
  lastAt(head: number): number {
    const byLag = Math.max(0, head - this.lagBlocks);
    return Math.min(head, Math.max(this.raisedTo, Math.min(byLag, this.heldAt ?? Infinity)));
  }

  /** Stops the progress of irreversibility. */
  hold(head: number): void {
    this.heldAt = this.lastAt(head);
  }

  release(): void {
    this.heldAt = undefined;
  }

  raise(number: number): void {
    this.raisedTo = Math.max(this.raisedTo, number);
  }
}
