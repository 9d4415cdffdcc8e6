import { constants } from 'node:zlib';
import { type FastifyInstance } from 'fastify';
import { pieceBytes } from './paced-pieces';

/** Shorter responses, in bytes, are not compressed: they fit into a packet or two. Streams always are. */
export const minCompressedBytes = 2 * 1024;

/**
 * 64 KiB take 0.4 ms of the event loop; as a stream, on another thread, 1.1 ms of processor time. `limitResponses`
 * already streams longer bodies.
 */
const maxSyncBytes = pieceBytes;

/**
 * Compresses responses of routes registered after this call, for clients that accept gzip. `limitResponses` counts
 * uncompressed bytes, because Fastify runs its hook for all routes before the hooks of a route.
 *
 * Only for public data: if a response contains a secret and text that others choose, its compressed length reveals the
 * secret (BREACH).
 */
export async function compressResponses(fastify: FastifyInstance): Promise<void> {
  // Loaded here because it takes 27 ms of CPU time, and most processes do not need it.
  const { default: fastifyCompress } = await import('@fastify/compress');
  await fastify.register(fastifyCompress, {
    // Brotli output is no smaller for the same CPU time. It also delays the first bytes, so a failed export would send
    // an error labelled as compressed instead of breaking the connection.
    encodings: ['gzip', 'identity'],
    threshold: minCompressedBytes,
    syncThreshold: maxSyncBytes,
    zlibOptions: { level: constants.Z_BEST_SPEED },
    globalDecompression: false,
  });
  fastify.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    route.onSend = [route.onSend ?? []].flat();
    route.onSend.push((request, reply, payload, done) => {
      // The GET response may be compressed and have another length.
      if (request.headers['accept-encoding'] !== undefined) void reply.removeHeader('Content-Length');
      done(null, payload);
    });
  });
}
