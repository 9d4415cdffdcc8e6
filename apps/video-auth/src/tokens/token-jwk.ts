import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { generateSigningKey, type SigningKey } from '@waggle/service';
import { z } from 'zod';

const publicFields = z.object({
  /** The key id in the header of tokens. */
  kid: z.string().min(1).max(128),
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
});
/** A public key as a JWK. */
export type PublicJwk = z.infer<typeof publicFields>;

const pairFields = publicFields.extend({ d: z.string() });
/** A key pair as a JWK: `d` is the private key. */
type PairJwk = z.infer<typeof pairFields>;

/** The public half of a key that signs tokens, as a JWK (RFC 7517). */
export const publicJwk = publicFields.refine((jwk) => isPublicKey(jwk), 'is not a public key');

/** A key pair as a JWK. Node accepts halves of different keys, so a test signature is made and verified. */
export const pairJwk = pairFields.refine((jwk) => signsWhatItVerifies(jwk), 'is not a key pair');

/** Converts a valid `publicJwk` to a key that verifies. */
export function publicKeyIn({ kty, crv, x, y }: PublicJwk): KeyObject {
  return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
}

/** Converts a valid `pairJwk` to a key that signs. */
export function signingKeyIn({ kid, kty, crv, x, y, d }: PairJwk): SigningKey {
  const privateKey = createPrivateKey({ key: { kty, crv, x, y, d }, format: 'jwk' });
  return { privateKey, publicKey: publicKeyIn({ kid, kty, crv, x, y }), id: kid };
}

/** Generates a key pair with its thumbprint as id. */
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
    // Not a valid key. The error is dropped, since its message may quote the key.
    return false;
  }
}

function isPublicKey(jwk: PublicJwk): boolean {
  try {
    publicKeyIn(jwk);
    return true;
  } catch {
    // The message may quote the key.
    return false;
  }
}
