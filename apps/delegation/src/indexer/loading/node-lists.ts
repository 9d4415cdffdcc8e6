import { type HiveApi, HiveRpcError, hiveTime, untrueIssue } from '@waggle/chain';
import { z } from 'zod';
import { vests } from '../../amounts/vests';
import { chainAccount } from '../operations';

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

/** Rows of a list that hived returns at most (DATABASE_API_SINGLE_QUERY_LIMIT). */
export const maxPageSize = 1_000;

/** A list of database_api. */
export interface NodeList<Row> {
  readonly method: string;
  readonly order: string;
  readonly row: z.ZodType<Row>;
  /** Positions before the first row. The first one whose account the node knows is used. */
  readonly starts: readonly [Start, ...Start[]];
  readonly startOf: (row: Row) => Start;
}

export const delegationList: NodeList<ListedDelegation> = {
  method: 'database_api.list_vesting_delegations',
  order: 'by_delegation',
  row: delegation,
  // hived orders delegations by account ids and rejects unknown accounts; `miners` has id 0. Before 1.26 it ordered
  // them by names, so that `miners` would leave out some, and accepted any name.
  starts: [
    ['', ''],
    ['miners', ''],
  ],
  startOf: ({ delegator, delegatee }) => [delegator, delegatee],
};

/** Pending returns, ordered by when they are due. */
export const returnList: NodeList<ListedReturn> = {
  method: 'database_api.list_vesting_delegation_expirations',
  order: 'by_expiration',
  row: expiration,
  starts: [['1970-01-01T00:00:00', 0]],
  startOf: ({ returns: time, id }) => [time.toISOString().slice(0, 19), id],
};

/** Pages of all delegations, in the order of the node. */
export function listDelegations(api: HiveApi, pageSize: number): AsyncGenerator<ListedDelegation[]> {
  return pagesOf(api, delegationList, pageSize);
}

/** Pages of all pending returns. */
export function listReturns(api: HiveApi, pageSize: number): AsyncGenerator<ListedReturn[]> {
  return pagesOf(api, returnList, pageSize);
}

/**
 * Each page is of the moment of its request. A page may be shorter than requested, so the list ends with a page without
 * new rows. A node that ignores `start` would never end; its list is rejected.
 */
async function* pagesOf<Row>(api: HiveApi, list: NodeList<Row>, pageSize: number): AsyncGenerator<Row[]> {
  const keyOf = (of: Row) => list.startOf(of).join(' ');
  /** The first and the last row of each page. */
  const edges = new Set<string>();
  let { page } = await readFirstPage(api, list, pageSize);
  for (;;) {
    const [head, last] = [page[0], page.at(-1)];
    if (head === undefined || last === undefined) return;
    yield page;
    edges.add(keyOf(head)).add(keyOf(last));
    const start = list.startOf(last);
    const rows = z.array(list.row).transform((all, context) => {
      // The first row was the last one of the previous page, unless it was removed meanwhile.
      const more = all.filter((each) => keyOf(each) !== start.join(' '));
      if (more.some((each) => edges.has(keyOf(each)))) {
        context.issues.push(untrueIssue(all, 'contradiction', 'the list goes back'));
      }
      return more;
    });
    page = await readPage(api, list, { start, limit: pageSize }, rows);
  }
}

/**
 * Reads the first page, from the first of the list's `starts` that the node accepts.
 *
 * @throws HiveRpcError if it accepts none
 */
export async function readFirstPage<Row>(
  api: HiveApi,
  list: NodeList<Row>,
  limit: number,
): Promise<{ page: Row[]; start: Start }> {
  const [start, ...others] = list.starts;
  try {
    return { page: await readPage(api, list, { start, limit }, z.array(list.row)), start };
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !isUnknownAccount(error)) throw error;
    return readFirstPage(api, { ...list, starts: [next, ...rest] }, limit);
  }
}

/**
 * hived: `Assert Exception:…: Given account does not exist.` Another error, such as of a rate limit, says nothing about
 * the start.
 */
function isUnknownAccount(error: unknown): boolean {
  return error instanceof HiveRpcError && error.rpcMessage.includes('account does not exist');
}

async function readPage<Row>(
  api: HiveApi,
  { method, order }: NodeList<Row>,
  page: { readonly start: Start; readonly limit: number },
  rows: z.ZodType<Row[]>,
): Promise<Row[]> {
  const { delegations } = await api.call(method, { ...page, order }, z.object({ delegations: rows }));
  return delegations;
}
