import { type RawData } from 'ws';

/** The bytes of a message; in the forms that `ws` does not use by default, a copy of them. */
export function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
