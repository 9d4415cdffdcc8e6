import { secp256k1 } from '@noble/curves/secp256k1';
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { base58 } from '@scure/base';

/** Of a private key of the main network, before the key and a checksum of 4 bytes. */
const version = 0x80;

/** Signs the sha256 of a text or bytes, with low s as Hive requires. @returns undefined if the key is invalid */
export function signText(text: string | Uint8Array, wif: string): string | undefined {
  const key = privateKeyOf(wif);
  if (key === undefined) return undefined;
  const signature = secp256k1.sign(sha256(typeof text === 'string' ? utf8ToBytes(text) : text), key, { lowS: true });
  return bytesToHex(Uint8Array.of(31 + signature.recovery, ...signature.toBytes('compact')));
}

function privateKeyOf(wif: string): Uint8Array | undefined {
  try {
    const bytes = base58.decode(wif.trim());
    const payload = bytes.slice(0, -4);
    const checksum = sha256(sha256(payload)).slice(0, 4);
    const isWhole = checksum.every((byte, index) => byte === bytes[bytes.length - 4 + index]);
    return payload[0] === version && payload.length === 33 && isWhole ? payload.slice(1) : undefined;
  } catch {
    // Not base58.
    return undefined;
  }
}
