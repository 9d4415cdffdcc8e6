import { type RawData } from 'ws';

/** Returns the bytes of a message, without a copy for the default type of `ws`. */
export function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
