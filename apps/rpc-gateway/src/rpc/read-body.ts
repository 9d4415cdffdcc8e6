import { type IncomingMessage } from 'node:http';
import { type ResponseAllowance } from '@waggle/service';

/** A transaction has at most 64 KiB, and a batch of reads far less. */
export const bodyMostBytes = 1024 * 1024;

/**
 * Reads the body of a request.
 *
 * @param allowance of its exchange, which the body counts against, and which is released if the client disconnects before the body is complete
 * @param done is called with the bytes, or with undefined where it is longer than `bodyMostBytes` or the allowance was refused:
 *   the rest is not read then. Never called if the client disconnects before the body is complete.
 */
export function readBody(
  request: IncomingMessage,
  allowance: ResponseAllowance,
  done: (body: Buffer | undefined) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isWatched = false;
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bodyMostBytes || allowance.take(chunk.length) !== undefined) {
      refuse();
      return;
    }
    chunks.push(chunk);
    // Most bodies are too small to be counted and need no listener.
    if (isWatched || !allowance.isCounted) return;
    isWatched = true;
    request.once('close', releaseUnlessComplete);
  };
  const releaseUnlessComplete = () => {
    if (!request.complete) allowance.release();
  };
  const end = () => {
    const [first] = chunks;
    done(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
  };
  const refuse = () => {
    request.off('data', take).off('end', end).pause();
    done(undefined);
  };
  if (Number(request.headers['content-length'] ?? 0) > bodyMostBytes) refuse();
  else request.on('data', take).on('end', end);
}
