/** Greater than any id. */
const beyondIds = Number.MAX_SAFE_INTEGER;

/** Which part of a list is asked for: a query after its schema. */
export interface ListQuery {
  readonly account: string;
  readonly limit?: number | undefined;
  readonly descending?: boolean;
  readonly after_id?: number | undefined;
  readonly before_id?: number | undefined;
  readonly as_of_block?: number | undefined;
}

/** A part of a list, as the database is asked for it. */
export interface Page {
  /** Ids lie between these two, without them. */
  readonly after: number;
  readonly before: number;
  readonly limit: number;
  /** Whether the items are read upwards: those next to the cursor come first. */
  readonly readsUp: boolean;
  /** Whether the list ascends. */
  readonly ascends: boolean;
}

/**
 * A list is read from its beginning, or from a cursor away: `before_id` alone asks for the items next to it below, and
 * `after_id` alone for those next to it above, in whichever order they are then listed. So a page never leaves a gap to the
 * cursor that it was asked for by.
 */
export function pageOf({ after_id, before_id }: ListQuery, ascends: boolean, limit: number): Page {
  const readsUp = ascends
    ? before_id === undefined || after_id !== undefined
    : after_id !== undefined && before_id === undefined;
  return { after: after_id ?? 0, before: before_id ?? beyondIds, limit, readsUp, ascends };
}

/** The same page, of items between two ids only. */
export function within(page: Page, { after = 0, before }: { after?: number; before: number }): Page {
  return { ...page, after: Math.max(page.after, after), before: Math.min(page.before, before) };
}

/** A part of a list that was read, in the order of the list. */
export interface Part<Item> {
  readonly items: Item[];
  /** Whether the list goes on beyond the limit, in the direction in which it was read. */
  readonly goesOn: boolean;
}

/** @param read of one item more than the limit where there are so many, the one next to the cursor first */
export function partOf<Item>(read: readonly Item[], { limit, readsUp, ascends }: Page): Part<Item> {
  const items = read.slice(0, limit);
  return { items: readsUp === ascends ? items : items.reverse(), goesOn: read.length > limit };
}
