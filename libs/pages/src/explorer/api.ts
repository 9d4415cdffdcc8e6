import { isRecord, numberIn, numberOrNullIn, stringIn } from '../parse';

export type Delegation = ReturnType<typeof delegationOf>;

/** A change of a delegation to an amount, which is 0 if it was removed. */
export type DelegationChange = ReturnType<typeof changeOf>;

export interface Page<Item> {
  items: Item[];
  hasMore: boolean;
}

export type Direction = 'in' | 'out';

export type Balances = Record<Direction, number>;

/** A response with an error status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(readonly status: number) {
    super(`the service responded with ${status}`);
  }
}

const delegationsPerPage = 50;

/** The most that the service returns for one request. */
const changesPerRequest = 1_000;

/** Limits a history to ten requests. A chart, which is about a thousand pixels wide, could not show more. */
const maxChanges = 10_000;

export async function getStatus() {
  const { body } = await getJson('status');
  return {
    /** Null before the first block. */
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

/** A page of current delegations, from the first with an id above `afterId`. @throws ApiError */
export async function getDelegations(direction: Direction, account: string, afterId = 0): Promise<Page<Delegation>> {
  return await getPage(direction, { account, limit: delegationsPerPage, after_id: afterId }, delegationOf);
}

/** Returns all changes, the oldest first, up to 10,000; `hasMore` if there are later ones. @throws ApiError */
export async function getChanges(direction: Direction, account: string): Promise<Page<DelegationChange>> {
  const changes: DelegationChange[] = [];
  for (;;) {
    const query = { account, descending: 'false', limit: changesPerRequest, after_id: changes.at(-1)?.id ?? 0 };
    const { items, hasMore } = await getPage(`history/${direction}`, query, changeOf);
    changes.push(...items);
    if (!hasMore || changes.length >= maxChanges) return { items: changes, hasMore };
  }
}

/** The newest changes, the newest first. @throws ApiError */
export async function getNewestChanges(
  direction: Direction,
  account: string,
  limit: number,
): Promise<DelegationChange[]> {
  return (await getPage(`history/${direction}`, { account, descending: 'true', limit }, changeOf)).items;
}

/** The whole list as a CSV file. @throws ApiError */
export async function getCsv(direction: Direction, account: string): Promise<Blob> {
  const response = await request(direction, { account }, 'text/csv');
  return await response.blob();
}

async function getPage<Item>(
  path: string,
  query: Record<string, string | number>,
  parse: (item: unknown) => Item,
): Promise<Page<Item>> {
  const { body, hasMore } = await getJson(path, query);
  return { items: Array.isArray(body) ? body.map(parse) : [], hasMore };
}

function delegationOf(item: unknown) {
  return {
    id: numberIn(item, 'id'),
    delegator: stringIn(item, 'delegator'),
    delegatee: stringIn(item, 'delegatee'),
    /** VESTS. */
    amount: numberIn(item, 'amount'),
  };
}

function changeOf(item: unknown) {
  // Hive's times are UTC, without saying so.
  return { ...delegationOf(item), createdMs: Date.parse(`${stringIn(item, 'created')}Z`) };
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
