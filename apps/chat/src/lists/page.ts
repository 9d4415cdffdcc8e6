import { identifier, maxInstantMs } from '@waggle/contracts';
import { sql } from '@waggle/service';
import { z } from 'zod';
import { ChatError } from '../errors';

/**
 * Largest page of a list, in bytes of JSON. The database counts them, so that a statement returns at most one such
 * page, unless a single row is larger.
 */
export const maxPageBytes = 512 * 1024;
/** The same for descriptions. */
export const maxPageSize = `${maxPageBytes / 1024} KiB`;

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  /** The beginning of the next page, usually a cursor; undefined if this page is the last. */
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
 * @param rows the SELECT, which begins after the cursor; its column `bytes` is the size of a row in JSON. If it has a
 * LIMIT, that must be at least `limit`, or `has_next` is wrong
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

/** Bytes in JSON of an account in a list: at most 16 characters, quotes, comma. */
export const accountBytes = 19;

/** Bytes in JSON of a message without its text: names of keys, identifiers, accounts, time, numbers. */
export const messageBytes = 220;

/** Bytes in JSON of a conversation without its name, members, moderators and last message. */
export const conversationBytes = 280;

/**
 * SQL for the bytes of a text in JSON, where a character of one byte may take six.
 *
 * @param expression of type text
 */
export function jsonBytes(expression: string): string {
  return `octet_length(to_json(${expression})::text)`;
}

/**
 * Like `jsonBytes`, for the rows of a list. Once the unconverted texts up to a row are longer than a page, the row is
 * not in the page anyway, and its unconverted length is used: for 1,000 messages of 16 KB, converting all of them took
 * 65 of 100 ms.
 *
 * @param expression of type text
 * @param order of the list, such as `sent_at DESC`
 */
export function jsonBytesInPage(expression: string, order: string): string {
  return `
    CASE WHEN sum(octet_length(${expression})) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) > ${maxPageBytes}
      THEN octet_length(${expression}) ELSE ${jsonBytes(expression)} END`;
}

type CursorPart = string | number;

/** Encodes the sort key of the last item of a page as an opaque page cursor: base64url of a JSON array. */
export function encodeCursor(parts: readonly CursorPart[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Decodes a page cursor that `encodeCursor` made.
 *
 * @param shape schema of the parts. Clients can send any text, so it must reject values that the SQL statement cannot
 * take
 * @throws ChatError `invalid-request` if the cursor is not one of this list
 */
export function decodeCursor<Parts extends readonly CursorPart[]>(cursor: string, shape: z.ZodType<Parts>): Parts {
  const { success, data } = shape.safeParse(parseCursor(cursor));
  if (!success) throw new ChatError('invalid-request', 'cursor: not a cursor of this list');
  return data;
}

/** A time in a page cursor, in milliseconds since 1970. */
export const cursorTime = z.int().min(0).max(maxInstantMs);

/** A cursor of most lists: the time that orders them, and the identifier of a conversation or other item. */
export const timeCursor = z.tuple([cursorTime, identifier]);

function parseCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
