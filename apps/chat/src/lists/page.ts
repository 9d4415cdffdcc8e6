import { sql } from '@waggle/service';

/**
 * Largest page of a list, in bytes of JSON. The database counts them, so that a statement returns no more than one such
 * page, unless a single row is larger.
 */
export const maxPageBytes = 512 * 1024;

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Where the next page begins, usually a cursor; undefined if this one is the last. */
  next: string | undefined;
}

/** What `selectPage` adds to the columns of a row. */
export const pageColumns = {
  /** The row's number in the page, from 1. */
  nth: sql.notNull(sql.int8),
  /** Bytes of JSON of the rows up to and including this one. */
  page_bytes: sql.notNull(sql.int8),
  /** Whether the list has a row after this one: in the last row of the page, whether there is a next page. */
  has_next: sql.notNull(sql.bool),
};

/**
 * SQL for the first rows of a SELECT that fit into a page. The first one is always included. Each has `pageColumns`.
 *
 * @param rows the SELECT, which begins after the cursor; its column `bytes` is the size of a row in JSON. If it has a LIMIT, that must be
 *   at least `limit`, or `has_next` is wrong
 * @param limit the largest number of rows in a page, plus one: a number or a parameter such as `$1`
 * @param order the order of the list, such as `sent_at DESC`. The result is not sorted: add ORDER BY if you need it
 */
export function selectPage(rows: string, limit: number | `$${number}`, order: string): string {
  return `
    SELECT * FROM (
      SELECT listed.*, row_number() OVER page AS nth, sum(bytes) OVER page AS page_bytes,
             lead(true) OVER page IS NOT NULL AS has_next
      FROM (${rows}) listed
      WINDOW page AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
    ) counted
    WHERE nth < ${limit} AND (page_bytes <= ${maxPageBytes} OR nth = 1)`;
}
