/** The accounts that are connected to this instance and subscribed to a stream. */
export class StreamSubscribers {
  /**
   * By account: the sequence numbers at which its subscriptions begin, ascending. An account has more than one
   * subscription if it joins again before the entry of its leave is delivered.
   */
  private readonly starts = new Map<string, readonly number[]>();
  /** By account: the start of a subscription that may have ended already. Its live entries wait for `confirm`. */
  private readonly unconfirmed = new Map<string, number>();

  get isEmpty(): boolean {
    return this.starts.size === 0;
  }

  /** Begins a subscription of an account. */
  add(account: string, start: number): void {
    const starts = [...(this.starts.get(account) ?? []), start];
    this.starts.set(
      account,
      starts.toSorted((one, other) => one - other),
    );
  }

  /** Ends the subscriptions of an account that begin at or before a sequence number. */
  end(account: string, seq: number): void {
    const later = this.starts.get(account)?.filter((start) => start > seq) ?? [];
    if (later.length > 0) {
      this.starts.set(account, later);
    } else {
      this.starts.delete(account);
      this.unconfirmed.delete(account);
    }
  }

  /** Stops live delivery to an account until `confirm` is called with the same start. */
  awaitConfirmation(account: string, start: number): void {
    this.unconfirmed.set(account, start);
  }

  confirm(account: string, start: number): void {
    if (this.unconfirmed.get(account) === start) this.unconfirmed.delete(account);
  }

  isConfirmed(account: string): boolean {
    return !this.unconfirmed.has(account);
  }

  /** Returns the start of an account's first subscription; undefined without one. */
  startOf(account: string): number | undefined {
    return this.starts.get(account)?.[0];
  }

  has(account: string): boolean {
    return this.starts.has(account);
  }

  /** Whether an account is subscribed to an entry, as far as this instance knows. */
  receives(account: string, seq: number): boolean {
    const start = this.startOf(account);
    return start !== undefined && start <= seq;
  }

  /** Returns the accounts that are subscribed to an entry. */
  at(seq: number): string[] {
    const accounts: string[] = [];
    for (const [account, [start = Infinity]] of this.starts) if (start <= seq) accounts.push(account);
    return accounts;
  }
}
