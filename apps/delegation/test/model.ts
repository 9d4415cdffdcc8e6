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
  created: string;
}

interface Return {
  id: number;
  delegator: string;
  amount: bigint;
  due: Date;
}

/**
 * What is answered, by the documents, found by looking at everything there ever was. Items are texts, as JSON has them.
 * Amounts are millionths.
 */
export class Model {
  private readonly changes: Change[] = [];
  private readonly ids = new Map<string, number>();
  private readonly keptUntil = new Map<string, Date>();
  private returns: Return[] = [];
  private now = new Map<string, bigint>();
  /** Balances and delegations as of the block that was last asked for. */
  private memory: { block: number; amounts: Map<string, bigint> } = { block: -1, amounts: new Map() };

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
    const own = direction === 'in' ? 'delegatee' : 'delegator';
    return this.changes
      .filter((change) => change[own] === account && change.block <= block)
      .map(({ id, created, delegator, amount, delegatee }) => {
        const rest = `"delegator":"${delegator}","amount":${decimal(amount)},"delegatee":"${delegatee}"`;
        return `{"id":${id},"created":"${created}",${rest}}`;
      });
  }

  pair(delegator: string, delegatee: string, block: number): string {
    const pair = `${delegator} ${delegatee}`;
    return delegationText({
      id: this.ids.get(pair) ?? null,
      delegator,
      amount: this.amountsAt(block).get(pair) ?? 0n,
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

  private delegations(direction: Direction, account: string, block: number): (Delegation & { id: number })[] {
    const own = direction === 'in' ? 'delegatee' : 'delegator';
    return [...this.amountsAt(block)]
      .map(([pair, amount]) => {
        const [delegator = '', delegatee = ''] = pair.split(' ');
        return { id: this.ids.get(pair) ?? 0, delegator, amount, delegatee };
      })
      .filter((each) => each[own] === account && each.amount > 0n)
      .sort((one, other) => one.id - other.id);
  }

  private amountsAt(block: number): Map<string, bigint> {
    if (this.memory.block !== block) {
      const amounts = new Map<string, bigint>();
      for (const change of this.changes) {
        if (change.block <= block) amounts.set(`${change.delegator} ${change.delegatee}`, change.amount);
      }
      this.memory = { block, amounts };
    }
    return this.memory.amounts;
  }

  private apply({ number, timestamp, previousTimestamp, operations }: FollowedBlock) {
    let place = 0;
    const write = (delegator: string, delegatee: string, amount: bigint, isNew: boolean) => {
      const pair = `${delegator} ${delegatee}`;
      const before = this.now.get(pair) ?? 0n;
      const id = number * 2 ** 20 + place;
      place += 1;
      if (!this.ids.has(pair)) this.ids.set(pair, this.ids.size + 1);
      this.now.set(pair, amount);
      const created = text(timestamp);
      this.changes.push({ id, created, delegator, amount, delegatee, block: number });
      if (isNew) this.keptUntil.set(pair, daysAfter(previousTimestamp, 30));
      return { id, before };
    };
    for (const { type, value } of operations) {
      if (type === 'delegate_vesting_shares_operation') {
        const [delegator, delegatee] = [String(value['delegator']), String(value['delegatee'])];
        const amount = millionths(value['vesting_shares']);
        const usual = daysAfter(previousTimestamp, 5);
        const kept = this.keptUntil.get(`${delegator} ${delegatee}`) ?? usual;
        const { id, before } = write(delegator, delegatee, amount, false);
        const due = kept > usual ? kept : usual;
        if (amount < before) this.returns.push({ id, delegator, amount: before - amount, due });
        if (amount === 0n) this.keptUntil.delete(`${delegator} ${delegatee}`);
      } else if (type === 'account_create_with_delegation_operation') {
        const amount = millionths(value['delegation']);
        if (amount > 0n) write(String(value['creator']), String(value['new_account_name']), amount, true);
      } else if (type === 'hardfork_hive_operation') {
        const account = String(value['account']);
        const lost = [...this.now].filter(([pair, amount]) => pair.startsWith(`${account} `) && amount > 0n);
        for (const [pair] of lost.sort(([one], [other]) => (one < other ? -1 : 1))) {
          write(account, pair.slice(account.length + 1), 0n, false);
          this.keptUntil.delete(pair);
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
