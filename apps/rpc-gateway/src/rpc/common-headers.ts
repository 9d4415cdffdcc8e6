import { securityHeaders } from '@waggle/service';
import { type FastifyReply, type FastifyRequest } from 'fastify';

/** Writes the headers that every answer has. */
export type WriteHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

/** Headers of ours that pages on other origins may read. */
const exposedHeaders = 'X-Request-Id, Retry-After, X-Gateway-Cache, X-Gateway-Attempts, Age';

/**
 * What all services put into their answers. A page of another origin may read them where its origin is listed.
 *
 * @param isDraining then a connection is not used again
 */
export function headersFor(corsOrigins: readonly string[], isDraining: () => boolean): WriteHeaders {
  const always = { ...securityHeaders, 'cache-control': 'no-store', ...(corsOrigins.length > 0 && { vary: 'Origin' }) };
  const origins = new Set(corsOrigins);
  return ({ id, headers: { origin } }, reply) => {
    void reply.headers(always).header('x-request-id', id);
    if (isDraining()) void reply.header('connection', 'close');
    if (origin === undefined || !origins.has(origin)) return;
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': exposedHeaders,
    });
  };
}
