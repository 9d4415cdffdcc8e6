/**
 * A budget shared by many holders, such as addresses or accounts; in bytes, or any other unit. After taking, a holder
 * may hold at most as much as is then free: alone, half of the budget. If n holders fill it evenly, each gets 1/(n+1).
 * A new holder can take half of what is free. This is the dynamic threshold of Choudhury and Hahne, "Dynamic Queue
 * Length Thresholds for Shared-Memory Packet Switches" (1998), with α = 1.
 */
export class SharedBudget {
  private readonly held = new Map<string, number>();
  private available: number;

  constructor(private readonly total: number) {
    this.available = total;
  }

  /** What no holder holds. */
  get free(): number {
    return this.available;
  }

  heldBy(holder: string): number {
    return this.held.get(holder) ?? 0;
  }

  /**
   * Takes an amount for a holder. @returns false, and takes nothing, if the holder would then hold more than is free
   */
  take(holder: string, amount: number): boolean {
    const heldAfter = this.heldBy(holder) + amount;
    const freeAfter = this.available - amount;
    if (heldAfter > freeAfter) return false;
    this.held.set(holder, heldAfter);
    this.available = freeAfter;
    return true;
  }

  /** @throws RangeError if the holder holds less than that */
  release(holder: string, amount: number): void {
    const remaining = this.heldBy(holder) - amount;
    if (remaining < 0) throw new RangeError(`${holder} does not hold ${amount} of ${this.total}`);
    if (remaining === 0) this.held.delete(holder);
    else this.held.set(holder, remaining);
    this.available += amount;
  }
}
