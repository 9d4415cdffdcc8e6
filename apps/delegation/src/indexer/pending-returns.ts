/** A pending return. Amounts are millionths of VESTS. */
export interface PendingReturn {
  readonly id: number;
  readonly delegator: string;
  readonly amount: bigint;
  readonly returns: Date;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** HIVE_DELEGATION_RETURN_PERIOD of hived, since hardfork 20 and before it. */
const returnPeriodMs = 5 * dayMs;
const formerReturnPeriodMs = 7 * dayMs;
const hardfork20 = new Date('2018-09-25T15:00:00Z');

/** HIVE_CREATE_ACCOUNT_DELEGATION_TIME of hived: how long the creator's delegation to a new account is locked. */
const creationPeriodMs = 30 * dayMs;

/** @param headTime of the block before the operation's own: hived dates the operation by it */
export function earliestReturnOfCreation(headTime: Date): Date {
  return new Date(headTime.getTime() + creationPeriodMs);
}

/** The time when VESTS removed from a delegation return. */
export function returnTime(headTime: Date, earliestReturn: Date | null): Date {
  const periodMs = headTime < hardfork20 ? formerReturnPeriodMs : returnPeriodMs;
  const usual = new Date(headTime.getTime() + periodMs);
  return earliestReturn !== null && earliestReturn > usual ? earliestReturn : usual;
}

/** The returns that a batch of blocks affects: the stored ones, and the changes by the batch. */
export class PendingReturns {
  private readonly pending = new Map<number, PendingReturn>();
  /**
   * The returns of one account and amount, by `amountKey`, the earliest due first: a busy account may have hundreds.
   */
  private readonly bySameAmount = new Map<string, PendingReturn[]>();
  private readonly storedIds: ReadonlySet<number>;

  /**
   * @param stored the returns of cleared accounts, and returns with the account and amount of one that the batch adds
   * or completes
   */
  constructor(stored: readonly PendingReturn[]) {
    for (const each of stored) this.add(each);
    this.storedIds = new Set(this.pending.keys());
  }

  add(added: PendingReturn): void {
    this.drop(this.pending.get(added.id));
    this.pending.set(added.id, added);
    const same = this.withSameAmount(added);
    // An added return is almost always due last.
    const index = same.findLastIndex((each) => compareDue(each, added) < 0) + 1;
    if (same.length === 0) this.bySameAmount.set(amountKey(added), [added]);
    else same.splice(index, 0, added);
  }

  /** Adds a return, and drops the loaded one that is the same: the load read it before its block was applied. */
  addOrReplaceLoaded(added: PendingReturn, isLoadedId: (id: number) => boolean): void {
    const loaded = this.withSameAmount(added).find(
      ({ id, returns }) => isLoadedId(id) && returns.getTime() === added.returns.getTime(),
    );
    this.drop(loaded);
    this.add(added);
  }

  /** Removes a completed return, of several the one due first. @param latest no return that is due later is removed */
  remove(returned: Pick<PendingReturn, 'delegator' | 'amount'>, latest?: Date): void {
    this.drop(this.withSameAmount(returned).find(({ returns }) => latest === undefined || returns <= latest));
  }

  /** Removes all returns of an account. */
  clear(delegator: string): void {
    for (const each of [...this.pending.values()]) if (each.delegator === delegator) this.drop(each);
  }

  /** The returns to insert. */
  get added(): PendingReturn[] {
    return [...this.pending.values()].filter(({ id }) => !this.storedIds.has(id));
  }

  /** Ids of stored returns to delete. */
  get removed(): number[] {
    return [...this.storedIds].filter((id) => !this.pending.has(id));
  }

  private drop(dropped: PendingReturn | undefined): void {
    if (dropped === undefined) return;
    this.pending.delete(dropped.id);
    const same = this.withSameAmount(dropped);
    same.splice(same.indexOf(dropped), 1);
  }

  private withSameAmount(returned: Pick<PendingReturn, 'delegator' | 'amount'>): PendingReturn[] {
    return this.bySameAmount.get(amountKey(returned)) ?? [];
  }
}

/** Identifies an account and an amount. Account names contain no space. */
export function amountKey({ delegator, amount }: Pick<PendingReturn, 'delegator' | 'amount'>): string {
  return `${delegator} ${amount}`;
}

function compareDue(one: PendingReturn, other: PendingReturn): number {
  return one.returns.getTime() - other.returns.getTime() || one.id - other.id;
}
