import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * Announces the page after this one in the `Link` header, unless this is the last one.
 *
 * @param page the items of this page, and the cursor of the next one
 * @param parameter the query parameter for the cursor; `cursor` by default
 * @returns the items, for the handler to return
 */
export type WithNextLink = <Items>(page: { items: Items; next: string | undefined }, parameter?: string) => Items;

/** A decorator for a parameter of a handler, which gets a `WithNextLink`. */
export const NextPageLink = createParamDecorator((_data: unknown, context: ExecutionContext): WithNextLink => {
  const http = context.switchToHttp();
  return ({ items, next }, parameter) => {
    setNextLink(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), next, parameter);
    return items;
  };
});

/** Sets the `Link` header (RFC 8288): the URL of the request with the cursor of the next page, if there is one. */
export function setNextLink(
  request: FastifyRequest,
  reply: FastifyReply,
  cursor: string | undefined,
  parameter = 'cursor',
): void {
  if (cursor === undefined) return;
  const [path = ''] = request.url.split('?', 1);
  const query = new URLSearchParams(request.url.slice(path.length));
  query.set(parameter, cursor);
  // A list of identifiers would grow by two bytes for each comma, and proxies limit the size of headers.
  const search = query.toString().replaceAll('%2C', ',');
  void reply.header('Link', `<${path}?${search}>; rel="next"`);
}
