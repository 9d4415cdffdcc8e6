import { type FollowedBlock } from '@waggle/chain';
import { type Random } from '@waggle/testing';
import {
  blockWith,
  createWithDelegation,
  delegate,
  hardforkHive,
  type OperationSketch,
  returnDelegation,
} from './blocks';

const dayMs = 24 * 60 * 60 * 1_000;

/** Amounts have up to 55 bits, beyond what a number holds; a hundred of them stay within 64. */
const amountBits = 55;

/** Each account delegates to few others, as on the chain. */
const partners = 12;

/**
 * Generates a history that a chain could have: delegations change, pending returns complete, a hardfork clears
 * accounts. Some blocks are a few hours apart, so that returns complete.
 */
export class RandomHistory {
  readonly accounts: string[];
  private readonly amounts = new Map<string, bigint>();
  private readonly keptUntil = new Map<string, number>();
  private returns: { delegator: string; amount: bigint; dueMs: number }[] = [];
  private timeMs = Date.UTC(2026, 0, 1);
  private number = 0;

  constructor(
    private readonly random: Random,
    accounts: number,
  ) {
    this.accounts = Array.from({ length: accounts }, (_none, index) => `account-${index}`);
  }

  blocks(count: number): FollowedBlock[] {
    return Array.from({ length: count }, () => this.block());
  }

  private block(): FollowedBlock {
    const headMs = this.timeMs;
    this.timeMs += this.random.chance(0.05) ? this.random.below(dayMs / 3_000) * 3_000 : 3_000;
    this.number += 1;
    const operations: OperationSketch[] = [];
    // Most blocks have no operation of interest, some have many.
    const size = this.random.chance(0.5) ? 0 : this.random.below(6);
    for (let at = 0; at < size; at += 1) operations.push(this.operation(headMs));
    if (this.random.chance(0.01)) operations.push(this.clear());
    const due = this.returns.filter(({ dueMs }) => dueMs <= this.timeMs).sort((a, b) => a.dueMs - b.dueMs);
    this.returns = this.returns.filter((each) => !due.includes(each));
    for (const { delegator, amount } of due) operations.push(returnDelegation(delegator, amount));
    const block = blockWith(this.number, operations, new Date(this.timeMs));
    return { ...block, previousTimestamp: new Date(headMs) };
  }

  private operation(headMs: number): OperationSketch {
    const delegator = this.random.pick(this.accounts);
    if (this.random.chance(0.03)) {
      const name = `new-${this.number}-${this.accounts.length}`;
      const amount = this.random.chance(0.2) ? 0n : this.random.bits(amountBits);
      this.accounts.push(name);
      this.set(delegator, name, amount, headMs);
      if (amount > 0n) this.keptUntil.set(`${delegator} ${name}`, headMs + 30 * dayMs);
      return createWithDelegation(delegator, name, amount);
    }
    const at = (this.accounts.indexOf(delegator) + 1 + this.random.below(partners)) % this.accounts.length;
    const delegatee = this.accounts[at] ?? delegator;
    const amount = this.random.chance(0.3) ? 0n : this.random.bits(amountBits);
    this.set(delegator, delegatee, amount, headMs);
    return delegate(delegator, delegatee, amount);
  }

  private set(delegator: string, delegatee: string, amount: bigint, headMs: number) {
    const pair = `${delegator} ${delegatee}`;
    const before = this.amounts.get(pair) ?? 0n;
    if (amount < before) {
      const dueMs = Math.max(headMs + 5 * dayMs, this.keptUntil.get(pair) ?? 0);
      this.returns.push({ delegator, amount: before - amount, dueMs });
    }
    if (amount === 0n) this.keptUntil.delete(pair);
    this.amounts.set(pair, amount);
  }

  private clear(): OperationSketch {
    const account = this.random.pick(this.accounts);
    const delegatees: string[] = [];
    for (const [pair, amount] of this.amounts) {
      const [delegator = '', delegatee = ''] = pair.split(' ');
      if (delegator !== account || amount === 0n) continue;
      delegatees.push(delegatee);
      this.amounts.set(pair, 0n);
      this.keptUntil.delete(pair);
    }
    this.returns = this.returns.filter(({ delegator }) => delegator !== account);
    return hardforkHive(account, delegatees);
  }
}
