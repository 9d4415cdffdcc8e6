import { ecdsa } from '@noble/curves/abstract/weierstrass';
import { secp256k1 } from '@noble/curves/secp256k1';
import { sha256 } from '@noble/hashes/sha2';
import { assertion, badCast } from './errors';
import { publicKeyText, secretOf } from './keys';

/** The types of noble's ready-made curve lack the recovery of keys. */
const curve = ecdsa(secp256k1.Point, sha256);

/** The first byte of a signature is the recovery number plus this: 27, and 4 for a compressed key. */
export const recoveryOffset = 31;

/**
 * Signs 32 bytes; always the same signature for the same key and bytes.
 * @returns 65 bytes in hex: recovery byte, r, s, in the canonical form that every Hive library accepts.
 */
export function signDigest(digest: Uint8Array, wif: string): string {
  const secret = secretOf(wif);
  for (let attempt = 0; ; attempt++) {
    // r and s of one nonce may need more than 32 bytes with a sign; the next attempt takes another nonce.
    const entropy = Buffer.alloc(32);
    entropy.writeUInt32BE(attempt);
    const extraEntropy = attempt === 0 ? false : entropy;
    const signature = curve.sign(digest, secret, { prehash: false, extraEntropy });
    const compact = signature.toBytes('compact');
    if (needs32Bytes(compact, 0) && needs32Bytes(compact, 32)) {
      return Buffer.concat([Buffer.of(signature.recovery + recoveryOffset), compact]).toString('hex');
    }
  }
}

/**
 * The public key that made a signature, `STM…`.
 * @throws NodeError if the text is no signature, or not in the form that a node accepts (low s).
 */
export function recoverKey(digest: Uint8Array, signature: string): string {
  if (!/^[0-9a-f]{130}$/i.test(signature)) throw badCast('Invalid signature: ${signature}', { signature });
  const bytes = Buffer.from(signature, 'hex');
  const recovery = (bytes.readUInt8(0) - 27) & 3;
  let highS: boolean;
  let key: Uint8Array;
  try {
    highS = curve.Signature.fromBytes(bytes.subarray(1), 'compact').hasHighS();
    key = curve.recoverPublicKey(Uint8Array.of(recovery, ...bytes.subarray(1)), digest, { prehash: false });
  } catch {
    // The curve library throws if r or s is out of range or not on the curve.
    throw assertion('false', 'unable to reconstruct public key from signature');
  }
  if (highS) throw assertion('is_canonical( c, canon_type )', 'signature is not canonical');
  return publicKeyText(key);
}

/** Whether the number at `offset` is positive and no shorter than 32 bytes in DER: the rule of fc for canonical signatures. */
export function needs32Bytes(compact: Uint8Array, offset: number): boolean {
  const first = compact[offset] ?? 0;
  const second = compact[offset + 1] ?? 0;
  return first < 0x80 && !(first === 0 && second < 0x80);
}
