import { ripemd160 } from '@noble/hashes/legacy';
import { base58 } from '@scure/base';

/** A compressed point: its sign byte and x. */
const keyLength = 33;
/** The first bytes of ripemd160 of the key, appended to it in its text. */
const checksumLength = 4;
/** 37 bytes make 50 or 51 base58 characters. Longer text is refused before decoding, whose cost is quadratic. */
const maxEncodedLength = 51;

const prefix = 'STM';

/**
 * Reads a public key from its text, such as `STM8GC13uCZbP44HzMLV6zPZGwVQ8Nt4Kji8PapsPiNq1BK153XTX`.
 *
 * Whether the point lies on the curve is not checked: a recovered key always does, so another never equals it.
 *
 * @returns the compressed key, 33 bytes; undefined if the text is no such key (neither is the null key `STM1111…`, of
 * zeros, by which an authority is given up)
 */
export function parsePublicKey(text: string): Uint8Array | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const bytes = decodeBase58(text.slice(prefix.length));
  if (bytes?.length !== keyLength + checksumLength) return undefined;
  const key = bytes.slice(0, keyLength);
  if (key[0] !== 2 && key[0] !== 3) return undefined;
  return samePublicKey(bytes.subarray(keyLength), checksum(key)) ? key : undefined;
}

/**
 * The text of a compressed public key, with the prefix `STM`. It costs as much as the verification of a signature
 * (0.1 ms): compare keys as bytes.
 *
 * @throws RangeError if it is not 33 bytes long
 */
export function formatPublicKey(key: Uint8Array): string {
  if (key.length !== keyLength) throw new RangeError(`a compressed public key has ${keyLength} bytes`);
  return prefix + base58.encode(Buffer.concat([key, checksum(key)]));
}

/** Whether two keys are the same. Public keys are no secret, so the time this takes may tell where they differ. */
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
    // It refuses foreign characters by throwing.
    return undefined;
  }
}
