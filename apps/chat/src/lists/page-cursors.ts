import { maxInstantMs } from '@waggle/contracts';
import { z } from 'zod';
import { ChatError } from '../errors';

type CursorPart = string | number;

/** Encodes the sort key of the last item of a page as an opaque page cursor: base64url of a JSON array. */
export function encodeCursor(parts: readonly CursorPart[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Decodes a page cursor that `encodeCursor` made.
 *
 * @param shape schema of the parts. Clients can send any text, so it must reject values that the SQL statement cannot take
 * @throws ChatError `invalid-request` if the cursor is not one of this list
 */
export function decodeCursor<Parts extends readonly CursorPart[]>(cursor: string, shape: z.ZodType<Parts>): Parts {
  const { success, data } = shape.safeParse(parse(cursor));
  if (!success) throw new ChatError('invalid-request', 'cursor: not a cursor of this list');
  return data;
}

/** A time in a page cursor, in milliseconds since 1970. */
export const cursorTime = z.int().min(0).max(maxInstantMs);

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
