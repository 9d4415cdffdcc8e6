import { type HiveApi, hiveTime, untrueIssue } from '@waggle/chain';
import { z } from 'zod';
import { vests } from '../../amounts/vests';
import { chainAccount } from '../operations/chain-account';

const delegation = z
  .object({ delegator: chainAccount, delegatee: chainAccount, vesting_shares: vests, min_delegation_time: hiveTime })
  .transform(({ delegator, delegatee, vesting_shares: amount, min_delegation_time: earliestReturn }) => ({
    ...{ delegator, delegatee, amount, earliestReturn },
  }));

/** A delegation as a node has it at the moment. */
export type ListedDelegation = z.infer<typeof delegation>;

const expiration = z
  .object({ id: z.int().min(0), delegator: chainAccount, vesting_shares: vests, expiration: hiveTime })
  .transform(({ id, delegator, vesting_shares: amount, expiration: returns }) => ({ id, delegator, amount, returns }));

/** A pending return as a node has it at the moment. */
export type ListedReturn = z.infer<typeof expiration>;

/** The start of a page: the row with this key, or the next one. */
type Start = readonly [string, string | number];

/** A list of database_api. */
interface NodeList<Row> {
  readonly method: string;
  readonly order: string;
  readonly row: z.ZodType<Row>;
  /** Before all rows. */
  readonly first: Start;
  readonly startOf: (row: Row) => Start;
}

const delegations: NodeList<ListedDelegation> = {
  method: 'database_api.list_vesting_delegations',
  order: 'by_delegation',
  row: delegation,
  first: ['', ''],
  startOf: ({ delegator, delegatee }) => [delegator, delegatee],
};

/** Pending returns, ordered by when they are due. */
const returns: NodeList<ListedReturn> = {
  method: 'database_api.list_vesting_delegation_expirations',
  order: 'by_expiration',
  row: expiration,
  first: ['1970-01-01T00:00:00', 0],
  startOf: ({ returns: time, id }) => [time.toISOString().slice(0, 19), id],
};

/** Pages of all delegations, in the order of the node. */
export function listDelegations(api: HiveApi, pageSize: number): AsyncGenerator<ListedDelegation[]> {
  return pagesOf(api, delegations, pageSize);
}

/** Pages of all pending returns. */
export function listReturns(api: HiveApi, pageSize: number): AsyncGenerator<ListedReturn[]> {
  return pagesOf(api, returns, pageSize);
}

/**
 * Each page is of the moment of its request. A page may be shorter than requested, so the list ends with a page without
 * new rows. A node that ignores `start` would never end; its list is rejected.
 */
async function* pagesOf<Row>(api: HiveApi, list: NodeList<Row>, pageSize: number): AsyncGenerator<Row[]> {
  const { method, order, row, first, startOf } = list;
  const keyOf = (of: Row) => startOf(of).join(' ');
  /** The first and the last row of each page. */
  const edges = new Set<string>();
  let start = first;
  for (;;) {
    const before = start.join(' ');
    const page = z.object({ delegations: z.array(row) }).transform((response, context) => {
      // The first row was the last one of the previous page, unless it was removed meanwhile.
      const more = response.delegations.filter((each) => keyOf(each) !== before);
      if (more.some((each) => edges.has(keyOf(each)))) {
        context.issues.push(untrueIssue(response, 'contradiction', 'the list goes back'));
      }
      return more;
    });
    const more = await api.call(method, { start, limit: pageSize, order }, page);
    const [head, last] = [more[0], more.at(-1)];
    if (head === undefined || last === undefined) return;
    yield more;
    edges.add(keyOf(head)).add(keyOf(last));
    start = startOf(last);
  }
}
