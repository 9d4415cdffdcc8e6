import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A P-256 key pair for ES256, as key objects, because parsing a key for each token costs more than signing. */
export interface SigningKey {
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** The `kid` in the header of its tokens: the RFC 7638 thumbprint of a generated key, or what a key file says. */
  id: string;
}

/** Whether a key can sign by ES256. */
export function isOnP256(key: KeyObject): boolean {
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
}

/** @param privateKey on the curve P-256 */
export function signingKeyOf(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey);
  return { privateKey, publicKey, id: thumbprintOf(publicKey) };
}

export function generateSigningKey(): SigningKey {
  return signingKeyOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
}

/** The RFC 7638 thumbprint of a public key on the curve P-256. */
function thumbprintOf(publicKey: KeyObject): string {
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
