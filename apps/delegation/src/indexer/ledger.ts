import { changeId } from '../index-state/change-id';
import { earliestReturnOfCreation, type PendingReturns, returnTime } from './pending-returns';
import { type BlockStep, type Step } from './operations/steps';

/**
 * One account's delegation to another, as a batch of blocks finds it and leaves it. Amounts are millionths of VESTS.
 */
export interface Pair {
  readonly id: number;
  readonly delegator: string;
  readonly delegatee: string;
  amount: bigint;
  earliestReturn: Date | null;
}

/** A row of the history. */
export interface Change {
  readonly id: number;
  readonly pair: Pair;
  readonly amount: bigint;
  readonly created: Date;
}

/** Differences of an account's balances. */
export interface BalanceDelta {
  in: bigint;
  out: bigint;
}

/** The blocks whose effects the initial load may already contain: see `IndexStateEntity`. */
export interface LoadedRange {
  readonly loadedTo: number;
  readonly returnsLoadedTo: number;
}

/**
 * Applies steps in memory to the stored delegations, so that a batch of blocks costs a few statements regardless of its
 * number of operations.
 */
export class Ledger {
  readonly changes: Change[] = [];
  /** The pairs that changed, each once. */
  readonly touched = new Set<Pair>();
  readonly balanceDeltas = new Map<string, BalanceDelta>();
  /** The pairs that were not known before. */
  readonly added: Pair[] = [];
  /** All pairs by `keyOf`. */
  private readonly pairs = new Map<string, Pair>();
  /** The same pairs by delegator. */
  private readonly pairsOf = new Map<string, Pair[]>();
  /** The position of the next change in its block. */
  private position = { block: -1, next: 0 };

  /** @param known the pairs that the steps name, and all pairs of the accounts that a step clears */
  constructor(
    known: readonly Pair[],
    readonly returns: PendingReturns,
    private nextId: number,
    private readonly range: LoadedRange,
  ) {
    for (const pair of known) this.remember(pair);
  }

  /** The id that the next new pair would get. */
  get nextPairId(): number {
    return this.nextId;
  }

  apply(blockStep: BlockStep): void {
    const { step } = blockStep;
    if (step.kind === 'set') this.set(blockStep, step);
    else if (step.kind === 'clear') this.clear(blockStep, step);
    else this.giveBack(blockStep, step);
  }

  /** Sets the amount. What a reduction removes becomes a pending return, unless the initial load contains it. */
  private set(blockStep: BlockStep, { delegator, delegatee, amount, isLocked }: Step & { kind: 'set' }): void {
    const pair = this.pairOf(delegator, delegatee);
    const before = pair.amount;
    const id = this.change(pair, amount, blockStep);
    const { block, headTime } = blockStep;
    if (amount < before && this.isExact(block)) {
      const freed = { id, delegator, amount: before - amount, returns: returnTime(headTime, pair.earliestReturn) };
      // Until `returnsLoadedTo` the load may contain it; loaded ids are below the ids of changes after `loadedTo`.
      if (block > this.range.returnsLoadedTo) this.returns.add(freed);
      else this.returns.addOrReplaceLoaded(freed, (each) => each < changeId(this.range.loadedTo, 0));
    }
    if (amount === 0n) pair.earliestReturn = null;
    else if (isLocked === true) pair.earliestReturn = earliestReturnOfCreation(headTime);
  }

  /** Ends all outgoing delegations and pending returns of an account, as hardfork 23 did. */
  private clear(blockStep: BlockStep, { delegator, delegatees }: Step & { kind: 'clear' }): void {
    const isExact = this.isExact(blockStep.block);
    const own = isExact ? (this.pairsOf.get(delegator) ?? []).filter(({ amount }) => amount > 0n) : [];
    const cleared = new Set([...delegatees, ...own.map(({ delegatee }) => delegatee)]);
    for (const delegatee of [...cleared].sort()) {
      const pair = this.pairOf(delegator, delegatee);
      this.change(pair, 0n, blockStep);
      pair.earliestReturn = null;
    }
    if (isExact) this.returns.clear(delegator);
  }

  /** Removes a pending return that is complete. */
  private giveBack({ block, time }: BlockStep, { delegator, amount }: Step & { kind: 'returned' }): void {
    if (!this.isExact(block)) return;
    // The load may have happened after this return: then the next one of that amount is not due yet.
    this.returns.remove({ delegator, amount }, block <= this.range.returnsLoadedTo ? time : undefined);
  }

  /** Whether the amounts before this block equal the chain's; loaded amounts are of moments up to `loadedTo`. */
  private isExact(block: number): boolean {
    return block > this.range.loadedTo;
  }

  /** Records that a pair has another amount. @returns the id of the change */
  private change(pair: Pair, amount: bigint, { block, time }: BlockStep): number {
    const id = changeId(block, this.nextPosition(block));
    this.changes.push({ id, pair, amount, created: time });
    this.deltaOf(pair.delegator).out += amount - pair.amount;
    this.deltaOf(pair.delegatee).in += amount - pair.amount;
    pair.amount = amount;
    this.touched.add(pair);
    return id;
  }

  private nextPosition(block: number): number {
    if (this.position.block !== block) this.position = { block, next: 0 };
    this.position.next += 1;
    return this.position.next - 1;
  }

  /** Returns a pair; a new one if it is not known. */
  private pairOf(delegator: string, delegatee: string): Pair {
    const known = this.pairs.get(keyOf(delegator, delegatee));
    if (known !== undefined) return known;
    const pair: Pair = { id: this.nextId, delegator, delegatee, amount: 0n, earliestReturn: null };
    this.nextId += 1;
    this.added.push(pair);
    this.remember(pair);
    return pair;
  }

  private remember(pair: Pair): void {
    this.pairs.set(keyOf(pair.delegator, pair.delegatee), pair);
    const others = this.pairsOf.get(pair.delegator);
    if (others === undefined) this.pairsOf.set(pair.delegator, [pair]);
    else others.push(pair);
  }

  private deltaOf(account: string): BalanceDelta {
    const known = this.balanceDeltas.get(account) ?? { in: 0n, out: 0n };
    this.balanceDeltas.set(account, known);
    return known;
  }
}

/** Unambiguous, because account names contain no space. */
function keyOf(delegator: string, delegatee: string): string {
  return `${delegator} ${delegatee}`;
}
