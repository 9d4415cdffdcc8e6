import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { findMediaType, StaticFile } from './static-file';

/** Names with a hash of their content, as bundlers write them. */
const hashedName = /-[A-Z0-9]{8}\.\w+$/;

const caching = {
  /** The content of a hashed name never changes. */
  forever: 'public, max-age=31536000, immutable',
  /** The browser asks each time, with the ETag, so it shows a new version at once. */
  revalidated: 'public, no-cache',
};

export interface ServedFiles {
  /** The URL of the folder, such as `/app/`. It serves `index.html`. */
  url: `/${string}`;
  folder: string;
  /** Whether files in subfolders are served too; default true. */
  isRecursive?: boolean;
  /** Headers that are added to the common ones or replace them. */
  headers?: Readonly<Record<string, string>>;
  /** Whether pages of any origin may load the files: only for public files. */
  isForAnyOrigin?: boolean;
}

/**
 * Serves each file of a known media type in a folder, as its own route. Files are read once, so no request reaches the
 * file system.
 *
 * @throws Error if the folder does not exist, because it was not built
 */
export function serveFiles(fastify: FastifyInstance, served: ServedFiles): void {
  for (const name of readdirSync(served.folder, { recursive: served.isRecursive ?? true, encoding: 'utf8' })) {
    const mediaType = findMediaType(name);
    if (mediaType === undefined) continue;
    const file = new StaticFile(mediaType, readFileSync(path.join(served.folder, name)));
    const url = served.url + name.split(path.sep).join('/');
    fastify.get(url, (request, reply) => sendFile(file, name, served, request, reply));
    if (name !== 'index.html') continue;
    // The route also matches without the final slash, which relative URLs in the page need.
    fastify.get(served.url, (request, reply) =>
      pathOf(request).endsWith('/') ? sendFile(file, name, served, request, reply) : reply.redirect(served.url, 308),
    );
  }
}

async function sendFile(
  file: StaticFile,
  name: string,
  { headers = {}, isForAnyOrigin = false }: ServedFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.headers({
    'Content-Type': file.mediaType,
    'Cache-Control': hashedName.test(name) ? caching.forever : caching.revalidated,
    ETag: file.etag,
    Vary: [reply.getHeader('Vary'), 'Accept-Encoding'].flat().filter(Boolean).join(', '),
    ...headers,
  });
  if (isForAnyOrigin) {
    void reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    // The hook for CORS sets it, and browsers reject it beside `*`.
    void reply.removeHeader('Access-Control-Allow-Credentials');
  }
  if (isCached(file.etag, request.headers['if-none-match'])) return reply.status(304).send();
  const { body, encoding } = await file.inEncodingOf(request.headers['accept-encoding'] ?? '');
  if (encoding !== undefined) void reply.header('Content-Encoding', encoding);
  return reply.send(body);
}

/** Whether the browser has this version. Ignores `W/`: proxies that compress make ETags weak. */
function isCached(etag: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return known.includes(etag);
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}
