import { type FastifyInstance } from 'fastify';

/** Formats an API description for a commit: with sorted keys, so that diffs show only changes. */
export function descriptionText(document: object): string {
  return `${JSON.stringify(document, inOrder, 2)}\n`;
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

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
