import { hash } from 'node:crypto';
import { backend } from './secp256k1-backend';
import { parseSignature, type Signature, type SignatureFault } from './signature';

/** `unrecoverable`: the signature is in form, but no key can have made it. */
export type RecoveryFault = SignatureFault | 'unrecoverable';

export type RecoveredKey =
  | { readonly ok: true; /** Compressed, 33 bytes. */ readonly publicKey: Uint8Array }
  | { readonly ok: false; readonly fault: RecoveryFault };

/** Which library does the work, for a service to log at start: `native` is about 20 times as fast as `pure`. */
export const secp256k1Backend = backend.name;

/**
 * The public key whose owner signed the message.
 *
 * That a key is recovered means nothing by itself: for almost every text and signature there is one. The text is
 * verified when this key is found in the authority of the account that is said to have signed.
 *
 * @param message the signed text, or the sha256 digest (32 bytes) of the signed bytes
 * @param signature as read, or in hex
 * @throws RangeError if a digest is not 32 bytes long
 */
export function recoverPublicKey(message: string | Uint8Array, signature: string | Signature): RecoveredKey {
  const digest = typeof message === 'string' ? hash('sha256', message, 'buffer') : message;
  if (digest.length !== 32) throw new RangeError('a digest has 32 bytes');
  const parsed = typeof signature === 'string' ? parseSignature(signature) : { ok: true as const, signature };
  if (!parsed.ok) return parsed;
  const publicKey = backend.recover(parsed.signature.rs, parsed.signature.recoveryId, digest);
  return publicKey === undefined ? { ok: false, fault: 'unrecoverable' } : { ok: true, publicKey };
}
