import { type Page } from './page';
import { type Snapshot, type SnapshotPart } from './snapshot';

/** Rows that are read at a time: at most 64 KiB of CSV, as the longest row, one of the history, has 93 bytes. */
const rowsAtOnce = 700;

/** The first of the pages by which `page` is read whole. */
export function firstOf(page: Page): Page {
  return { ...page, limit: Math.min(page.limit, rowsAtOnce) };
}

/** The items of a page of any size, one small page after another, of which the first one was read. */
export async function* pagesAfter<Item>(
  first: SnapshotPart<Item>,
  page: Page,
  read: Snapshot<Item>['read'],
): AsyncGenerator<readonly Item[]> {
  let { items, readTo } = first;
  let rest = page;
  for (;;) {
    yield items;
    const limit = rest.limit - items.length;
    if (readTo === undefined || limit === 0) return;
    rest = { ...rest, ...(rest.readsUp ? { after: readTo } : { before: readTo }), limit };
    ({ items, readTo } = await read(firstOf(rest)));
  }
}
