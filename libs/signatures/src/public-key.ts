import { ripemd160 } from '@noble/hashes/legacy';
import { base58 } from '@scure/base';

/** A compressed point: its sign byte and x. */
const keyLength = 33;
/** The text ends with the first bytes of ripemd160 of the key. */
const checksumLength = 4;
/** 37 bytes make 50 or 51 base58 characters. Longer text is rejected before decoding, whose cost is quadratic. */
const maxEncodedLength = 51;

const prefix = 'STM';

/**
 * Reads a public key from its text, such as `STM8GC13uCZbP44HzMLV6zPZGwVQ8Nt4Kji8PapsPiNq1BK153XTX`.
 *
 * Does not check whether the point is on the curve: recovered keys always are, so an invalid key matches none.
 *
 * @returns the compressed key, 33 bytes; undefined if the text is not a key, or the null key `STM1111…`, which an
 * account sets to give up an authority
 */
export function parsePublicKey(text: string): Uint8Array | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const bytes = decodeBase58(text.slice(prefix.length));
  if (bytes?.length !== keyLength + checksumLength) return undefined;
  const key = bytes.slice(0, keyLength);
  if (key[0] !== 2 && key[0] !== 3) return undefined;
  return Buffer.compare(bytes.subarray(keyLength), checksum(key)) === 0 ? key : undefined;
}

/**
 * Formats a compressed public key with the prefix `STM`. This costs as much as verifying a signature (0.1 ms), so
 * compare keys as bytes.
 *
 * @throws RangeError if it is not 33 bytes long
 */
export function formatPublicKey(key: Uint8Array): string {
  if (key.length !== keyLength) throw new RangeError(`a compressed public key has ${keyLength} bytes`);
  return prefix + base58.encode(Buffer.concat([key, checksum(key)]));
}

/** Compares two keys. Not in constant time, since public keys are not secret. */
export function samePublicKey(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function checksum(key: Uint8Array): Uint8Array {
  return ripemd160(key).subarray(0, checksumLength);
}

function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > maxEncodedLength) return undefined;
  try {
    return base58.decode(text);
  } catch {
    // It throws for other characters.
    return undefined;
  }
}
