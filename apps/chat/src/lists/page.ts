import { sql } from '@waggle/service';

/**
 * Largest page of a list, in bytes of JSON. The database counts them, so that no more than this is read into the process for
 * one request.
 */
export const maxPageBytes = 512 * 1024;

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  /** The cursor of the next page; undefined if this one is the last. */
  next: string | undefined;
}

/** What `firstPage` adds to the columns of a row. */
export const pageColumns = {
  /** Its number in the page, from 1. */
  nth: sql.notNull(sql.int8),
  /** Size in JSON of the page up to it. */
  page_bytes: sql.notNull(sql.int8),
  /** Whether another row of the list comes after it. */
  has_next: sql.notNull(sql.bool),
};

/**
 * SQL for the first rows of a list that fit into a page, at least one, each with `pageColumns`.
 *
 * @param rows a SELECT whose column `bytes` is the size of a row in JSON
 * @param limit its LIMIT, one more than a page may have: a number, or a parameter such as `$1`
 * @param order such as `sent_at DESC`
 */
export function firstPage(rows: string, limit: number | `$${number}`, order: string): string {
  return `
    SELECT * FROM (
      SELECT listed.*, row_number() OVER page AS nth, sum(bytes) OVER page AS page_bytes,
             lead(true) OVER page IS NOT NULL AS has_next
      FROM (${rows}) listed
      WINDOW page AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
    ) counted
    WHERE nth < ${limit} AND (page_bytes <= ${maxPageBytes} OR nth = 1)`;
}
