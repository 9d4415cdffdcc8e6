import {
  type Balances,
  type Delegation,
  type DelegationChange,
  type Direction,
  getBalances,
  getChanges,
  getDelegations,
  getNewestChanges,
  type Page,
} from './api';
import { runningTotals, type Total } from './running-totals';

/** What the page shows of one account. */
export interface AccountData {
  account: string;
  balances: Balances;
  lists: Record<Direction, Page<Delegation>>;
  /** What the account received, and what it gave. */
  totals: Total[][];
  /** The newest changes of both directions. */
  changes: DelegationChange[];
  isHistoryComplete: boolean;
}

/** Changes in the table below the chart. */
const maxShownChanges = 20;

/** @throws ApiError */
export async function getAccountData(account: string): Promise<AccountData> {
  const [balances, received, given, receivedChanges, givenChanges, newestReceived, newestGiven] = await Promise.all([
    getBalances(account),
    getDelegations('in', account),
    getDelegations('out', account),
    getChanges('in', account),
    getChanges('out', account),
    getNewestChanges('in', account, maxShownChanges),
    getNewestChanges('out', account, maxShownChanges),
  ]);
  const totalsOf = ({ items, hasMore }: Page<DelegationChange>, direction: Direction) =>
    runningTotals(items, hasMore ? undefined : balances[direction]);
  return {
    account,
    balances,
    lists: { in: received, out: given },
    totals: [totalsOf(receivedChanges, 'in'), totalsOf(givenChanges, 'out')],
    changes: [...newestReceived, ...newestGiven].sort((a, b) => b.id - a.id).slice(0, maxShownChanges),
    isHistoryComplete: !receivedChanges.hasMore && !givenChanges.hasMore,
  };
}

/** Returns a list with its next page. @throws ApiError */
export async function withNextPage({ account, lists }: AccountData, direction: Direction): Promise<Page<Delegation>> {
  const { items } = lists[direction];
  const next = await getDelegations(direction, account, items.at(-1)?.id);
  return { ...next, items: [...items, ...next.items] };
}
