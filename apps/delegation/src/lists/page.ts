import { type Order } from './order';

/** Greater than any id. */
const beyondIds = Number.MAX_SAFE_INTEGER;

/** The validated query of a list. */
export interface ListQuery {
  readonly account: string;
  readonly limit?: number | undefined;
  readonly descending?: boolean;
  readonly after_id?: number | undefined;
  readonly before_id?: number | undefined;
  readonly as_of_block?: number | undefined;
}

/** A part of a list to read from the database. */
export interface Page {
  /** Exclusive lower bound of the ids. */
  readonly after: number;
  /** Exclusive upper bound of the ids. */
  readonly before: number;
  readonly limit: number;
  /** The order of the list. */
  readonly order: Order;
  /** The order of reading, which begins with the item next to the cursor. */
  readonly readOrder: Order;
}

export function pageOf(query: ListQuery, order: Order, limit: number): Page {
  const { after_id: after = 0, before_id: before = beyondIds } = query;
  return { after, before, limit, order, readOrder: readOrderOf(query, order) };
}

/**
 * A single cursor decides the order of reading: `after_id` returns the items directly above it, and `before_id` those
 * directly below it, so that there is never a gap between the page and its cursor.
 */
function readOrderOf({ after_id: after, before_id: before }: ListQuery, order: Order): Order {
  if (after !== undefined && before === undefined) return 'ascending';
  if (before !== undefined && after === undefined) return 'descending';
  return order;
}

/** Restricts a page to the items between two ids, both exclusive. */
export function within(page: Page, { after = 0, before }: { after?: number; before: number }): Page {
  return { ...page, after: Math.max(page.after, after), before: Math.min(page.before, before) };
}

/** A part of a list that was read, in the order of the list. */
export interface Part<Item> {
  readonly items: Item[];
  /** Whether there are items beyond the limit, in the order of reading. */
  readonly hasMore: boolean;
}

/** @param read up to one item more than the limit, the one next to the cursor first */
export function partOf<Item>(read: readonly Item[], { limit, order, readOrder }: Page): Part<Item> {
  const items = read.slice(0, limit);
  return { items: readOrder === order ? items : items.reverse(), hasMore: read.length > limit };
}
