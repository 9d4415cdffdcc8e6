/**
 * A byte budget shared by many holders. Each may hold at most as much as is still free: one holder alone gets half of
 * the budget, n holders get 1/(n+1) each, and there is always room for another holder. This is the dynamic threshold of
 * Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches" (1998), with the factor 1.
 */
export class SharedBudget {
  private readonly held = new Map<string, number>();
  private freeBytes: number;

  constructor(private readonly totalBytes: number) {
    this.freeBytes = totalBytes;
  }

  /** Free bytes. */
  get free(): number {
    return this.freeBytes;
  }

  heldBy(holder: string): number {
    return this.held.get(holder) ?? 0;
  }

  /** @returns false, and takes nothing, if the holder would then hold more than is left */
  take(holder: string, bytes: number): boolean {
    const held = this.heldBy(holder) + bytes;
    const free = this.freeBytes - bytes;
    if (held > free) return false;
    this.held.set(holder, held);
    this.freeBytes = free;
    return true;
  }

  /** @throws RangeError if the holder has fewer bytes */
  release(holder: string, bytes: number): void {
    const left = this.heldBy(holder) - bytes;
    if (left < 0) throw new RangeError(`${holder} does not hold ${bytes} of ${this.totalBytes} bytes`);
    if (left === 0) this.held.delete(holder);
    else this.held.set(holder, left);
    this.freeBytes += bytes;
  }
}
