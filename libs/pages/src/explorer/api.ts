import { isRecord, numberIn, numberOrNullIn, textIn } from '../parse';

/** A current delegation, or a change of one. */
export interface Delegation {
  id: number;
  delegator: string;
  delegatee: string;
  /** VESTS; 0 for a removal. */
  amount: number;
  /** The time of a change, in milliseconds. */
  createdMs: number;
}

export interface Page {
  delegations: Delegation[];
  hasMore: boolean;
}

export interface Balances {
  in: number;
  out: number;
}

export interface Status {
  /** Null before the first block. */
  syncedBlock: number | null;
  lagSeconds: number | null;
}

export type Direction = 'in' | 'out';

/** A request that the service did not accept. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(readonly status: number) {
    super(`the service responded with ${status}`);
  }
}

const pageSize = 50;

/** Longest page of one request. */
const maxPageSize = 1_000;

/** Longer histories are cut off: a chart has only about a thousand pixels. */
const maxChanges = 10_000;

export async function getStatus(): Promise<Status> {
  const { body } = await getJson('status');
  return {
    syncedBlock: numberOrNullIn(body, 'synced_block'),
    lagSeconds: numberOrNullIn(body, 'lag_seconds'),
  };
}

/** @throws ApiError */
export async function getBalances(account: string): Promise<Balances> {
  const { body } = await getJson('account', { account });
  const balances = isRecord(body) ? body['balances'] : undefined;
  return { in: numberIn(balances, 'in'), out: numberIn(balances, 'out') };
}

/** A page of current delegations after the one with an id. @throws ApiError */
export async function getDelegations(direction: Direction, account: string, afterId = 0): Promise<Page> {
  return await getPage(direction, account, { limit: pageSize, after_id: afterId });
}

/** All changes, the oldest first, up to 10,000; `hasMore` if there are later ones. @throws ApiError */
export async function getChanges(direction: Direction, account: string): Promise<Page> {
  const changes: Delegation[] = [];
  for (;;) {
    const query = { descending: 'false', limit: maxPageSize, after_id: changes.at(-1)?.id ?? 0 };
    const { delegations, hasMore } = await getPage(`history/${direction}`, account, query);
    changes.push(...delegations);
    if (!hasMore || changes.length >= maxChanges) return { delegations: changes, hasMore };
  }
}

/** The whole list as a CSV file. @throws ApiError */
export async function getCsv(direction: Direction, account: string): Promise<Blob> {
  const response = await request(direction, { account }, 'text/csv');
  return await response.blob();
}

async function getPage(path: string, account: string, query: Record<string, string | number>): Promise<Page> {
  const { body, hasMore } = await getJson(path, { account, ...query });
  return { delegations: Array.isArray(body) ? body.map(delegationOf) : [], hasMore };
}

function delegationOf(item: unknown): Delegation {
  return {
    id: numberIn(item, 'id'),
    delegator: textIn(item, 'delegator'),
    delegatee: textIn(item, 'delegatee'),
    amount: numberIn(item, 'amount'),
    // Hive's times are UTC, without saying so. Current delegations have none.
    createdMs: isRecord(item) && 'created' in item ? Date.parse(`${textIn(item, 'created')}Z`) : 0,
  };
}

async function getJson(
  path: string,
  query: Record<string, string | number> = {},
): Promise<{ body: unknown; hasMore: boolean }> {
  const response = await request(path, query, 'application/json');
  return { body: await response.json(), hasMore: (response.headers.get('Link') ?? '').includes('rel="next"') };
}

async function request(path: string, query: Record<string, string | number>, accept: string): Promise<Response> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  const response = await fetch(`api/deleg/${path}?${parameters.toString()}`, { headers: { Accept: accept } });
  if (response.ok) return response;
  throw new ApiError(response.status);
}
