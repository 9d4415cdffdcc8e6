import { z } from 'zod';
import { ChatError } from '../errors';

type CursorPart = string | number;

/** Encodes the sort key of the last item of a page as an opaque cursor: base64url of a JSON array. */
export function encodeCursor(parts: readonly CursorPart[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Decodes a cursor that `encodeCursor` made.
 *
 * @param shape of the parts; a client can send any text, so the shape must reject every value that the query does not accept
 * @throws ChatError `invalid-request` if the cursor is not one of this list
 */
export function decodeCursor<Parts extends readonly CursorPart[]>(cursor: string, shape: z.ZodType<Parts>): Parts {
  const { success, data } = shape.safeParse(parse(cursor));
  if (!success) throw new ChatError('invalid-request', 'cursor: not a cursor of this list');
  return data;
}

/** The last instant of the year 9999, in milliseconds since 1970: PostgreSQL and JavaScript write later ones differently. */
export const latestMs = 253_402_300_799_999;

/** A time in a cursor, in milliseconds since 1970. */
export const cursorMs = z.int().min(0).max(latestMs);

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
