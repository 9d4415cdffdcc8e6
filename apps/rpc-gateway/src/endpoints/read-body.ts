import { type IncomingMessage } from 'node:http';
import { GrowingBuffer } from '@waggle/chain/growing-buffer';
import { type ResponseAllowance } from '@waggle/service';

/** A transaction is at most 64 KiB long, and a batch of reads far shorter. */
export const maxBodyBytes = 1024 * 1024;

/**
 * Reads the body of a request.
 *
 * @param allowance that the body counts against; released if the client disconnects before the body is complete
 * @param done is called with the body, or with undefined if it exceeds `maxBodyBytes` or the allowance: the rest is
 * then not read. Never called if the client disconnects before the body is complete.
 */
export function readBody(
  request: IncomingMessage,
  allowance: ResponseAllowance,
  done: (body: Buffer | undefined) => void,
): void {
  const body = new GrowingBuffer();
  let isWatched = false;
  const take = (chunk: Buffer): void => {
    if (body.length + chunk.length > maxBodyBytes || allowance.take(chunk.length) !== undefined) {
      reject();
      return;
    }
    body.append(chunk);
    // Most bodies are too short to be counted and need no listener.
    if (isWatched || !allowance.isCounted) return;
    isWatched = true;
    request.once('close', releaseUnlessComplete);
  };
  const releaseUnlessComplete = (): void => {
    if (!request.complete) allowance.release();
  };
  const end = (): void => {
    done(body.bytes);
  };
  const reject = (): void => {
    request.off('data', take).off('end', end).pause();
    done(undefined);
  };
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) reject();
  else request.on('data', take).on('end', end);
}
