import { ecdsa } from '@noble/curves/abstract/weierstrass';
import { secp256k1 } from '@noble/curves/secp256k1';
import { sha256 } from '@noble/hashes/sha2';
import { assertion, badCast } from '../errors';
import { publicKeyText, secretOf } from '../keys';

/** The types of noble's ready-made curve lack the recovery of keys. */
const curve = ecdsa(secp256k1.Point, sha256);

/** The first byte of a signature is the recovery number plus this: 27, and 4 for a compressed key. */
export const recoveryOffset = 31;

/**
 * Signs 32 bytes; always the same signature for the same key and bytes.
 * @returns 65 bytes in hex: recovery byte, r, low s.
 */
export function signDigest(digest: Uint8Array, wif: string): string {
  const signature = curve.sign(digest, secretOf(wif), { prehash: false, lowS: true });
  return Buffer.concat([Buffer.of(signature.recovery + recoveryOffset), signature.toBytes('compact')]).toString('hex');
}

/** @throws NodeError if a signature is not 65 bytes in hex */
export function checkSignatureFormat(signature: string): void {
  if (!/^[0-9a-f]{130}$/i.test(signature)) throw badCast('Invalid signature: ${signature}', { signature });
}

/**
 * The public key that made a signature, `STM…`.
 * @throws NodeError if the text is no signature, or not in the form that a node accepts (low s).
 */
export function recoverKey(digest: Uint8Array, signature: string): string {
  checkSignatureFormat(signature);
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
