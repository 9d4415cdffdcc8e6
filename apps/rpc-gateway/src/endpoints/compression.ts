import { constants, gzip } from 'node:zlib';
import { minCompressedBytes } from '@waggle/service';

/**
 * Maximum size of a response that is compressed, in bytes: compression needs the whole text in memory a second time.
 */
const maxBytes = 1024 * 1024;

/**
 * The fastest level, in libuv's thread pool: 64 KiB of JSON take 0.7 ms and 2 KiB 0.5 ms. All responses of this service
 * are public, so their compressed length reveals no secret.
 */
const options = { level: constants.Z_BEST_SPEED };

/**
 * Whether an RPC endpoint compresses a response of this length for a client that sent this `Accept-Encoding`.
 * (Responses of Nest routes are compressed by `compressResponses` of `@waggle/service`.)
 */
export function shouldCompress(bytes: number, accepted: string | undefined): boolean {
  if (accepted === undefined || bytes < minCompressedBytes || bytes > maxBytes) return false;
  return accepted.split(',').some((coding) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?:1|0?\.0*[1-9]).*)?$/i.test(coding));
}

/** @param done is called with undefined if compression fails for lack of memory */
export function compress(text: string, done: (compressed: Buffer | undefined) => void): void {
  gzip(text, options, (error, compressed) => {
    done(error === null ? compressed : undefined);
  });
}
