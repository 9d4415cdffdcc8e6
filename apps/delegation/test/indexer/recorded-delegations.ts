import { z } from 'zod';
import { type StoredState } from '../support/stored-state';

const name = z.string().catch('');
const amount = z
  .object({ amount: z.string().transform(BigInt) })
  .transform((asset) => asset.amount)
  .catch(0n);

/** The fields of all operations that matter, with the type and the position. */
const operation = z.object({
  block: z.int(),
  timestamp: z.string(),
  op: z.object({
    type: z.string(),
    value: z.object({
      ...{ account: name, creator: name, delegator: name, delegatee: name, new_account_name: name },
      ...{ delegation: amount, vesting_shares: amount },
    }),
  }),
});

/** The state of an index, with the blocks of changes instead of their ids. */
export type ExpectedState = Omit<StoredState, 'changes'> & {
  changes: (Omit<StoredState['changes'][number], 'id'> & { block: number })[];
  /** Returns that were completed before they were due, as on test networks with shorter periods. */
  early: StoredState['returns'];
};

/**
 * Computes what an index of operations has to contain from the rules of hived alone: it shares no code with the
 * indexer.
 *
 * @param operations the operations of the chain from its first block on, as account_history_api writes them
 */
export function foldDelegations(operations: Iterable<object>, lastBlock: number): ExpectedState {
  /** Amounts by `delegator delegatee`, and the earliest times of their return. */
  const amounts = new Map<string, bigint>();
  const locks = new Map<string, string>();
  let returns: ExpectedState['returns'] = [];
  const changes: ExpectedState['changes'] = [];
  const early: ExpectedState['early'] = [];
  let [now, previous] = ['', ''];

  for (const json of operations) {
    const { block, timestamp, op } = operation.parse(json);
    if (block > lastBlock) break;
    if (timestamp !== now) [previous, now] = [now === '' ? timestamp : now, timestamp];
    const { account, creator, delegator, delegatee, new_account_name: created } = op.value;
    const set = (pair: string, next: bigint) => {
      const [from = '', to = ''] = pair.split(' ');
      changes.push({ block, delegator: from, delegatee: to, amount: String(next), created: timestamp });
      amounts.set(pair, next);
    };
    if (op.type === 'delegate_vesting_shares_operation') {
      const pair = `${delegator} ${delegatee}`;
      const freed = (amounts.get(pair) ?? 0n) - op.value.vesting_shares;
      if (freed > 0n) {
        const due = later(previous, previous < '2018-09-25T15:00:00' ? 7 : 5);
        const lock = locks.get(pair) ?? '';
        returns.push({ delegator, amount: String(freed), returns: due > lock ? due : lock });
      }
      if (op.value.vesting_shares === 0n) locks.delete(pair);
      set(pair, op.value.vesting_shares);
    } else if (op.type === 'account_create_with_delegation_operation' && op.value.delegation > 0n) {
      locks.set(`${creator} ${created}`, later(previous, 30));
      set(`${creator} ${created}`, op.value.delegation);
    } else if (op.type === 'return_vesting_delegation_operation') {
      const same = returns.filter(
        (each) => each.delegator === account && each.amount === String(op.value.vesting_shares),
      );
      const [first] = same.sort((one, other) => (one.returns < other.returns ? -1 : 1));
      returns = returns.filter((each) => each !== first);
      if (first !== undefined && first.returns > timestamp) early.push(first);
    } else if (op.type === 'hardfork_hive_operation') {
      for (const [pair, value] of amounts) if (pair.startsWith(`${account} `) && value > 0n) set(pair, 0n);
      returns = returns.filter((each) => each.delegator !== account);
    }
  }

  const delegations = [...amounts]
    .filter(([, value]) => value > 0n)
    .map(([pair, value]) => ({ ...pairOf(pair), amount: String(value) }))
    .sort((one, other) => compare(`${one.delegator} ${one.delegatee}`, `${other.delegator} ${other.delegatee}`));
  const accounts = new Set(delegations.flatMap((each) => [each.delegator, each.delegatee]));
  const total = (side: 'delegator' | 'delegatee', account: string) =>
    String(delegations.reduce((sum, each) => (each[side] === account ? sum + BigInt(each.amount) : sum), 0n));
  const balances = [...accounts].sort(compare).map((account) => ({
    ...{ account, total_in: total('delegatee', account), total_out: total('delegator', account) },
  }));
  returns.sort((one, other) => compare(JSON.stringify(one), JSON.stringify(other)));
  return { delegations, balances, returns, changes, early };
}

function pairOf(pair: string) {
  const [delegator = '', delegatee = ''] = pair.split(' ');
  return { delegator, delegatee };
}

function later(time: string, days: number): string {
  return new Date(Date.parse(`${time}Z`) + days * 86_400_000).toISOString().slice(0, 19);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
