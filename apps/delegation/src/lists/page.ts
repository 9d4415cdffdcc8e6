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
  /** Whether items are read by ascending id. The items next to the cursor are read first. */
  readonly readsAscending: boolean;
  /** Whether the list ascends. */
  readonly ascends: boolean;
}

/**
 * A list is read from its beginning, or from the cursor: `before_id` alone returns the items directly below it, and
 * `after_id` alone those directly above it, in either order of the list. So there is never a gap between a page and its
 * cursor.
 */
export function pageOf({ after_id, before_id }: ListQuery, ascends: boolean, limit: number): Page {
  const readsAscending = ascends
    ? before_id === undefined || after_id !== undefined
    : after_id !== undefined && before_id === undefined;
  return { after: after_id ?? 0, before: before_id ?? beyondIds, limit, readsAscending, ascends };
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
export function partOf<Item>(read: readonly Item[], { limit, readsAscending, ascends }: Page): Part<Item> {
  const items = read.slice(0, limit);
  return { items: readsAscending === ascends ? items : items.reverse(), hasMore: read.length > limit };
}
