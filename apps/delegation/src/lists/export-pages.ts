import { type Page } from './page';
import { type Snapshot, type SnapshotPart } from './snapshot';

/** Rows that are read at a time: at most 64 KiB of CSV, as the longest row, one of the history, has 93 bytes. */
const rowsAtOnce = 700;

/** The first page of an export of `whole`: at most `rowsAtOnce` of its rows. */
export function firstPageOf(whole: Page): Page {
  return { ...whole, limit: Math.min(whole.limit, rowsAtOnce) };
}

/** Reads `whole` page by page and yields the items of each page, beginning with `first`, which was read already. */
export async function* pagesFrom<Item>(
  first: SnapshotPart<Item>,
  whole: Page,
  read: Snapshot<Item>['read'],
): AsyncGenerator<readonly Item[]> {
  let { items, readTo } = first;
  let rest = whole;
  for (;;) {
    yield items;
    const limit = rest.limit - items.length;
    if (readTo === undefined || limit === 0) return;
    rest = { ...rest, ...(rest.readOrder === 'ascending' ? { after: readTo } : { before: readTo }), limit };
    ({ items, readTo } = await read(firstPageOf(rest)));
  }
}
