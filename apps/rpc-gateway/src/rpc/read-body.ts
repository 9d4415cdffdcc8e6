import { type IncomingMessage } from 'node:http';
import { type ResponseAllowance } from '@waggle/service';

/** A transaction has at most 64 KiB, and a batch of reads far less. */
export const bodyMostBytes = 1024 * 1024;

/**
 * Reads the text of a request.
 *
 * @param allowance of its exchange, which the body counts against, and which is released where the client goes before the end
 * @param done is called with the text, or with undefined where it is longer than `bodyMostBytes` or the allowance was refused:
 *   the rest is not read then. Never called where the client goes before the end.
 */
export function readBody(
  request: IncomingMessage,
  allowance: ResponseAllowance,
  done: (text: string | undefined) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bodyMostBytes || !allowance.take(chunk.length)) {
      refuse();
      return;
    }
    chunks.push(chunk);
    // The one chunk of a small body needs no look at how it ends.
    if (chunks.length === 2) request.once('close', releaseUnlessComplete);
  };
  const releaseUnlessComplete = () => {
    if (!request.complete) allowance.release();
  };
  const end = () => {
    const [first] = chunks;
    done(chunks.length === 1 && first !== undefined ? first.toString() : Buffer.concat(chunks).toString());
  };
  const refuse = () => {
    request.off('data', take).off('end', end).pause();
    done(undefined);
  };
  if (Number(request.headers['content-length'] ?? 0) > bodyMostBytes) refuse();
  else request.on('data', take).on('end', end);
}
