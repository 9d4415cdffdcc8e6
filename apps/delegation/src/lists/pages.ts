import { type Page } from './page';

/** Rows of a list are read so many at a time: some 40 KB of CSV. */
const rowsAtOnce = 1_000;

/** The first of the pages by which `page` is read whole. */
export function firstOf(page: Page): Page {
  return { ...page, limit: Math.min(page.limit, rowsAtOnce) };
}

/** The items of a page of any size, one small page after another, of which the first one was read. */
export async function* pagesAfter<Item extends { readonly id: string }>(
  first: readonly Item[],
  page: Page,
  read: (page: Page) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  let items = first;
  let rest = page;
  for (;;) {
    yield items;
    const last = items.at(-1);
    if (last === undefined || items.length < firstOf(rest).limit || items.length === rest.limit) return;
    const from = rest.readsUp ? { after: Number(last.id) } : { before: Number(last.id) };
    rest = { ...rest, ...from, limit: rest.limit - items.length };
    items = await read(firstOf(rest));
  }
}
