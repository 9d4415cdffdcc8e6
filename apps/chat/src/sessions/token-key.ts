import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { ConfigurationError, type Logger } from '@waggle/service';

/** The key pair that signs this service's tokens. As key objects: parsing PEM for each token would cost more than signing. */
export interface TokenKey {
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** RFC 7638 thumbprint, as `kid` in every token. */
  id: string;
}

/** @throws ConfigurationError when the PEM is no private key on P-256. */
export function tokenKey(privateKeyPem: string | undefined, logger: Logger): TokenKey {
  if (privateKeyPem !== undefined) return keyOf(parse(privateKeyPem));
  logger.warn(
    'no TOKEN_PRIVATE_KEY: made a key for this process; its tokens end with it and no other instance accepts them',
  );
  return keyOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
}

function parse(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // The parser's own words might quote the key.
  }
  throw new ConfigurationError(['TOKEN_PRIVATE_KEY: must be a PEM private key on the curve P-256']);
}

function keyOf(privateKey: KeyObject): TokenKey {
  const publicKey = createPublicKey(privateKey);
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
  const id = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { privateKey, publicKey, id };
}
