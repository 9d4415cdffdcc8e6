import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { generateSigningKey, type SigningKey } from '@waggle/service';
import { z } from 'zod';

const publicFields = z.object({
  /** By which tokens name it. */
  kid: z.string().min(1).max(128),
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
});
export type PublicJwk = z.infer<typeof publicFields>;

const pairFields = publicFields.extend({ d: z.string() });
type PairJwk = z.infer<typeof pairFields>;

/** The public half of a key that signs tokens, as a JWK (RFC 7517). */
export const publicJwk = publicFields.refine((jwk) => isPublicKey(jwk), 'is no public key');

/** Both halves. Node takes a JWK whose halves are of different keys; what that signs verifies nowhere. */
export const pairJwk = pairFields.refine((jwk) => signsWhatItVerifies(jwk), 'is no pair of keys');

/** Of a JWK for which `publicJwk` holds. */
export function publicKeyIn({ kty, crv, x, y }: PublicJwk): KeyObject {
  return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
}

/** Of a JWK for which `pairJwk` holds. */
export function signingKeyIn({ kid, kty, crv, x, y, d }: PairJwk): SigningKey {
  const privateKey = createPrivateKey({ key: { kty, crv, x, y, d }, format: 'jwk' });
  return { privateKey, publicKey: publicKeyIn({ kid, kty, crv, x, y }), id: kid };
}

/** A new key, named by its thumbprint. */
export function newPairJwk(): PairJwk {
  const { privateKey, id } = generateSigningKey();
  return pairFields.parse({ ...privateKey.export({ format: 'jwk' }), kid: id });
}

function signsWhatItVerifies(jwk: PairJwk): boolean {
  try {
    const { privateKey, publicKey } = signingKeyIn(jwk);
    const text = Buffer.from(jwk.kid);
    return verify('sha256', text, publicKey, sign('sha256', text, privateKey));
  } catch {
    // The library says by throwing that it is none, in words that might quote the key.
    return false;
  }
}

function isPublicKey(jwk: PublicJwk): boolean {
  try {
    publicKeyIn(jwk);
    return true;
  } catch {
    // As above.
    return false;
  }
}
