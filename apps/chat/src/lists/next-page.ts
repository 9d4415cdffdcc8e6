import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
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
 * @param shape of the parts; a client can send any text, so it must refuse whatever the query could not take
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

/** Announces the page that follows the one that a handler returns; undefined if there is none. */
export type NextPage = (cursor: string | undefined, parameter?: string) => void;

/** Gives a handler its `NextPage`. */
export const AnnounceNextPage = createParamDecorator((_data: unknown, context: ExecutionContext): NextPage => {
  const http = context.switchToHttp();
  return (cursor, parameter) => {
    setNextPage(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), cursor, parameter);
  };
});

/**
 * Announces the next page in the `Link` header (RFC 8288): the URL of the request with the cursor of that page.
 *
 * @param cursor undefined if this page is the last one; then there is no header
 * @param parameter of the query that says where the page begins
 */
export function setNextPage(
  request: FastifyRequest,
  reply: FastifyReply,
  cursor: string | undefined,
  parameter = 'cursor',
): void {
  if (cursor === undefined) return;
  const [path = ''] = request.url.split('?', 1);
  const query = new URLSearchParams(request.url.slice(path.length));
  query.set(parameter, cursor);
  void reply.header('Link', `<${path}?${query.toString()}>; rel="next"`);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
