import { type FastifyInstance } from 'fastify';

/**
 * Serves an API description as JSON. It is created and serialized at the first request, and only then: one of 100 KB
 * takes some milliseconds.
 */
export function serveDocument(fastify: FastifyInstance, url: string, create: () => object): void {
  let text: string | undefined;
  fastify.get(url, (_request, reply) => {
    text ??= JSON.stringify(create());
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
