import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Logger } from '@waggle/service';

/** The key pair that signs this service's tokens. As key objects: parsing PEM for each token would cost more than signing. */
export interface TokenKey {
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** RFC 7638 thumbprint, as `kid` in every token. */
  id: string;
}

/** Whether a text is what `tokenKey` takes: a PEM private key on the curve P-256. */
export function isTokenPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    // The parser's own words might quote the key.
    return false;
  }
}

/** The pair of a key for which `isTokenPrivateKey` holds, as the configuration sees to; without one, of a key made here. */
export function tokenKey(privateKeyPem: string | undefined, logger: Logger): TokenKey {
  if (privateKeyPem !== undefined) return keyOf(createPrivateKey(privateKeyPem));
  logger.warn(
    'no TOKEN_PRIVATE_KEY: made a key for this process; its tokens end with it and no other instance accepts them',
  );
  return keyOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
}

function keyOf(privateKey: KeyObject): TokenKey {
  const publicKey = createPublicKey(privateKey);
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
  const id = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { privateKey, publicKey, id };
}
