import { type IncomingMessage } from 'node:http';

/** A transaction has at most 64 KiB, and a batch of reads far less. */
export const bodyMostBytes = 1024 * 1024;

/**
 * Reads the text of a request.
 *
 * @param done is called with it, or with undefined where it is longer than `bodyMostBytes`: the rest is not read then. Never
 * called where the client goes before the end.
 */
export function readBody(request: IncomingMessage, done: (text: string | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bodyMostBytes) refuse();
    else chunks.push(chunk);
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
