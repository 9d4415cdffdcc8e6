import {
  type Balances,
  type Delegation,
  type Direction,
  getBalances,
  getChanges,
  getDelegations,
  type Page,
} from './api';
import { runningTotals, type Total } from './running-totals';

/** What the page shows of one account. */
export interface AccountData {
  account: string;
  balances: Balances;
  lists: Record<Direction, Page>;
  /** What the account received, and what it gave. */
  totals: Total[][];
  /** The newest changes of both directions. */
  changes: Delegation[];
  isHistoryComplete: boolean;
}

/** Changes in the table below the chart. */
const maxShownChanges = 20;

/** @throws ApiError */
export async function getAccountData(account: string): Promise<AccountData> {
  const [balances, received, given, receivedChanges, givenChanges] = await Promise.all([
    getBalances(account),
    getDelegations('in', account),
    getDelegations('out', account),
    getChanges('in', account),
    getChanges('out', account),
  ]);
  const totalsOf = ({ delegations, hasMore }: Page, direction: Direction) =>
    runningTotals(delegations, hasMore ? undefined : balances[direction]);
  return {
    account,
    balances,
    lists: { in: received, out: given },
    totals: [totalsOf(receivedChanges, 'in'), totalsOf(givenChanges, 'out')],
    changes: [...receivedChanges.delegations, ...givenChanges.delegations]
      .sort((a, b) => b.id - a.id)
      .slice(0, maxShownChanges),
    isHistoryComplete: !receivedChanges.hasMore && !givenChanges.hasMore,
  };
}

/** Adds the next page to one of the lists. @throws ApiError */
export async function withMore(data: AccountData, direction: Direction): Promise<AccountData> {
  const { delegations } = data.lists[direction];
  const next = await getDelegations(direction, data.account, delegations.at(-1)?.id);
  const list = { ...next, delegations: [...delegations, ...next.delegations] };
  return { ...data, lists: { ...data.lists, [direction]: list } };
}
