import { constants } from 'node:zlib';
import { type FastifyInstance } from 'fastify';
import { pieceBytes } from './paced-pieces';

/** Smaller responses, in bytes, are sent as they are: they fit into a packet or two. Streams are always compressed. */
const minBytes = 2 * 1024;

/**
 * Compresses what the routes registered from now on send to clients that accept gzip. The limits of responses come
 * first, so they count the bytes before compression.
 *
 * Only for public data: if a response contains a secret and text that others choose, its compressed length reveals the
 * secret (BREACH).
 */
export async function compressResponses(fastify: FastifyInstance): Promise<void> {
  // Loaded here because it takes 27 ms of CPU time, and most processes do not need it.
  const { default: fastifyCompress } = await import('@fastify/compress');
  await fastify.register(fastifyCompress, {
    // At the same cost Brotli is no smaller. It also holds back its first bytes: an export that fails later would not break the
    // connection, but become an error that is declared as compressed.
    encodings: ['gzip', 'identity'],
    threshold: minBytes,
    // 64 KiB take 0.4 ms of the event loop; as a stream, on another thread, 1.1 ms of processor time. Larger ones are streams already.
    syncThreshold: pieceBytes,
    zlibOptions: { level: constants.Z_BEST_SPEED },
    globalDecompression: false,
  });
  fastify.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    route.onSend = [route.onSend ?? []].flat();
    route.onSend.push((request, reply, payload, done) => {
      // GET might compress the body, and then has another length.
      if (request.headers['accept-encoding'] !== undefined) void reply.removeHeader('Content-Length');
      done(null, payload);
    });
  });
}
