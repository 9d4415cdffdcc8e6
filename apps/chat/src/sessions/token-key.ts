import { createPrivateKey } from 'node:crypto';
import { generateSigningKey, isOnP256, signingKeyOf, type Logger, type SigningKey } from '@waggle/service';

/** Whether a text is what `tokenKey` takes: a PEM private key on the curve P-256. */
export function isTokenPrivateKey(pem: string): boolean {
  try {
    return isOnP256(createPrivateKey(pem));
  } catch {
    // The parser's message might quote the key.
    return false;
  }
}

/** Returns the key pair of a validated PEM key; generates one if none is configured. */
export function tokenKey(privateKeyPem: string | undefined, logger: Logger): SigningKey {
  if (privateKeyPem !== undefined) return signingKeyOf(createPrivateKey(privateKeyPem));
  logger.warn(
    'no TOKEN_PRIVATE_KEY_FILE: generated a key for this process; its tokens end with it and no other instance accepts them',
  );
  return generateSigningKey();
}
