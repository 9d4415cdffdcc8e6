import { type FollowedBlock } from '@waggle/chain';
import { z } from 'zod';

type Direction = 'in' | 'out';

interface Delegation {
  id: number | null;
  delegator: string;
  amount: bigint;
  delegatee: string;
}

interface Change extends Delegation {
  block: number;
  /** As in the history. */
  text: string;
}

interface Return {
  id: number;
  delegator: string;
  amount: bigint;
  due: Date;
}

/**
 * What the documented endpoints return, computed from all operations of an account. Items are texts, as in JSON.
 * Amounts are millionths.
 */
export class Model {
  /** In the order of the chain, by delegatee and by delegator. */
  private readonly changes = { in: new Map<string, Change[]>(), out: new Map<string, Change[]>() };
  private readonly ids = new Map<string, number>();
  private readonly earliestReturns = new Map<string, Date>();
  private returns: Return[] = [];
  private readonly now = new Map<string, bigint>();

  constructor(blocks: readonly FollowedBlock[]) {
    for (const block of blocks) this.apply(block);
  }

  balance(account: string, block: number): string {
    const sum = (direction: Direction) =>
      this.delegations(direction, account, block).reduce((total, { amount }) => total + amount, 0n);
    return `{"account":"${account}","balances":{"in":${decimal(sum('in'))},"out":${decimal(sum('out'))}}}`;
  }

  /** By ascending id. */
  current(direction: Direction, account: string, block: number): string[] {
    return this.delegations(direction, account, block).map(delegationText);
  }

  /** In the order of the chain. */
  history(direction: Direction, account: string, block: number): string[] {
    return this.changesUntil(direction, account, block).map((change) => change.text);
  }

  pair(delegator: string, delegatee: string, block: number): string {
    const changes = this.changesUntil('out', delegator, block);
    return delegationText({
      id: this.ids.get(`${delegator} ${delegatee}`) ?? null,
      delegator,
      amount: changes.findLast((change) => change.delegatee === delegatee)?.amount ?? 0n,
      delegatee,
    });
  }

  pending(account: string): string[] {
    return this.returns
      .filter(({ delegator }) => delegator === account)
      .map(
        ({ id, delegator, amount, due }) =>
          `{"id":${id},"delegator":"${delegator}","amount":${decimal(amount)},"returns":"${text(due)}"}`,
      );
  }

  private delegations(direction: Direction, account: string, block: number): Change[] {
    const last = new Map(this.changesUntil(direction, account, block).map((change) => [change.id, change]));
    return [...last.values()].filter(({ amount }) => amount > 0n).sort((one, other) => (one.id ?? 0) - (other.id ?? 0));
  }

  private changesUntil(direction: Direction, account: string, block: number): Change[] {
    return (this.changes[direction].get(account) ?? []).filter((change) => change.block <= block);
  }

  private apply({ number, timestamp, previousTimestamp, operations }: FollowedBlock) {
    let position = 0;
    const write = (delegator: string, delegatee: string, amount: bigint, isNew: boolean) => {
      const pair = `${delegator} ${delegatee}`;
      const before = this.now.get(pair) ?? 0n;
      const id = number * 2 ** 20 + position;
      position += 1;
      const pairId = this.ids.get(pair) ?? this.ids.size + 1;
      this.ids.set(pair, pairId);
      this.now.set(pair, amount);
      const rest = `"delegator":"${delegator}","amount":${decimal(amount)},"delegatee":"${delegatee}"`;
      const written = `{"id":${id},"created":"${text(timestamp)}",${rest}}`;
      const change = { id: pairId, delegator, amount, delegatee, block: number, text: written };
      for (const [changes, account] of [
        [this.changes.in, delegatee],
        [this.changes.out, delegator],
      ] as const) {
        const before = changes.get(account);
        if (before === undefined) changes.set(account, [change]);
        else before.push(change);
      }
      if (isNew) this.earliestReturns.set(pair, daysAfter(previousTimestamp, 30));
      return { id, before };
    };
    for (const { type, value } of operations) {
      if (type === 'delegate_vesting_shares_operation') {
        const [delegator, delegatee] = [String(value['delegator']), String(value['delegatee'])];
        const amount = millionths(value['vesting_shares']);
        const usual = daysAfter(previousTimestamp, 5);
        const earliest = this.earliestReturns.get(`${delegator} ${delegatee}`) ?? usual;
        const { id, before } = write(delegator, delegatee, amount, false);
        const due = earliest > usual ? earliest : usual;
        if (amount < before) this.returns.push({ id, delegator, amount: before - amount, due });
        if (amount === 0n) this.earliestReturns.delete(`${delegator} ${delegatee}`);
      } else if (type === 'account_create_with_delegation_operation') {
        const amount = millionths(value['delegation']);
        if (amount > 0n) write(String(value['creator']), String(value['new_account_name']), amount, true);
      } else if (type === 'hardfork_hive_operation') {
        const account = String(value['account']);
        const lost = [...this.now].filter(([pair, amount]) => pair.startsWith(`${account} `) && amount > 0n);
        for (const [pair] of lost.sort(([one], [other]) => (one < other ? -1 : 1))) {
          write(account, pair.slice(account.length + 1), 0n, false);
          this.earliestReturns.delete(pair);
        }
        this.returns = this.returns.filter(({ delegator }) => delegator !== account);
      } else {
        const account = String(value['account']);
        const amount = millionths(value['vesting_shares']);
        const alike = this.returns.filter((each) => each.delegator === account && each.amount === amount);
        const first = alike.sort((one, other) => one.due.getTime() - other.due.getTime())[0];
        this.returns = this.returns.filter((each) => each !== first);
      }
    }
  }
}

function delegationText({ id, delegator, amount, delegatee }: Delegation): string {
  return `{"id":${id},"delegator":"${delegator}","amount":${decimal(amount)},"delegatee":"${delegatee}"}`;
}

function decimal(amount: bigint): string {
  const [whole, rest] = [amount / 1_000_000n, amount % 1_000_000n];
  return rest === 0n ? `${whole}` : `${whole}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
}

const asset = z.object({ amount: z.string() });

function millionths(value: unknown): bigint {
  return BigInt(asset.parse(value).amount);
}

function daysAfter(time: Date, days: number): Date {
  return new Date(time.getTime() + days * 24 * 60 * 60 * 1_000);
}

function text(time: Date): string {
  return time.toISOString().slice(0, 19);
}
