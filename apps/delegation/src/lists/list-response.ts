import { maxDelegationExport, delegationPage } from '@waggle/contracts';
import { resultsOf } from '@waggle/service';
import { type DeferredResponse } from '../responses/deferred-response';
import { csvLines } from '../responses/csv';
import { DelegationError } from '../errors';
import { type IndexPosition, requireIndexedAsOf } from '../index-state/index-position';
import { requireOwnCursors } from './cursors';
import { firstPageOf, pagesFrom } from './export-pages';
import { linksOf } from './links';
import { type Order } from './order';
import { type ListQuery, type Page, pageOf, partOf } from './page';
import { type Snapshot } from './snapshot';

/** The columns of a list in CSV, and its values in them. */
export interface CsvFormat<Item> {
  readonly columns: readonly string[];
  readonly row: (item: Item) => readonly string[];
}

interface CsvList<Item> extends CsvFormat<Item> {
  /** Begins to read the list as of one block. */
  readonly snapshot: () => Promise<Snapshot<Item>>;
}

/** A list, and how to read it. */
export interface List<Item extends { readonly id: string }> {
  /** The path of the resource, such as `/api/deleg/in`. */
  readonly path: string;
  readonly query: ListQuery;
  readonly order: Order;
  /** Reads up to `page.limit` items, the one next to the cursor first. */
  readonly read: (page: Page) => Promise<{ position: IndexPosition; items: readonly Item[] }>;
  /** Whether the list has, or had, an item with an id; undefined if every cursor is accepted. */
  readonly isOwn?: (id: number) => Promise<boolean>;
  readonly json: (item: Item) => string;
  /** The CSV form of the list, if it has one. */
  readonly csv?: CsvList<Item>;
}

/** Reads a list: a page of it as JSON, or up to the requested limit as CSV. */
export function listResponse<Item extends { readonly id: string }>(list: List<Item>): DeferredResponse {
  const { path, query, csv } = list;
  return {
    cacheKey: `${path} ${JSON.stringify(query)}`,
    read: () => readPart(list),
    export: csv && (() => exportWhole(list, csv)),
  };
}

async function readPart<Item extends { readonly id: string }>({ path, query, order, read, isOwn, json }: List<Item>) {
  const page = pageOf(query, order, limitOf(query, delegationPage.default, delegationPage.max));
  // Waits for both, so that a rejected cursor does not end the request before its query.
  const [{ position, items }] = await resultsOf([
    // One more shows whether there is a next page.
    read({ ...page, limit: page.limit + 1 }),
    isOwn && requireOwnCursors(query, isOwn),
  ]);
  requireIndexedAsOf(position, query.as_of_block);
  const part = partOf(items, page);
  return { position, body: `[${part.items.map(json).join(',')}]`, links: linksOf(path, query, page, part) };
}

async function exportWhole<Item extends { readonly id: string }>(
  { query, order, isOwn }: List<Item>,
  { columns, row, snapshot }: CsvList<Item>,
) {
  // The file is sent while the list is read, so it is read in list order, with any cursors.
  const whole = {
    ...pageOf(query, order, limitOf(query, maxDelegationExport, maxDelegationExport)),
    readOrder: order,
  };
  if (isOwn !== undefined) await requireOwnCursors(query, isOwn);
  const { position, read } = await snapshot();
  requireIndexedAsOf(position, query.as_of_block);
  const first = await read(firstPageOf(whole));
  async function* pages(): AsyncGenerator<string, void, unknown> {
    yield csvLines([columns]);
    for await (const items of pagesFrom(first, whole, read)) yield csvLines(items.map(row));
  }
  return { position, pages: pages() };
}

/** @throws DelegationError `invalid-request` */
function limitOf({ limit }: ListQuery, byDefault: number, max: number): number {
  if (limit !== undefined && limit > max) throw new DelegationError('invalid-request', `limit: must be at most ${max}`);
  return limit ?? byDefault;
}
