import { type FastifyReply, type FastifyRequest } from 'fastify';
import { securityHeaders } from './security-headers';

/** Sets the headers that every response has. */
export function writeCommonHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  void reply.headers(securityHeaders).header('X-Request-Id', id);
  // Most responses are about one user. Handlers of cacheable ones override this.
  void reply.header('Cache-Control', 'no-store');
}
