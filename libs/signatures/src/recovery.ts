import { hash } from 'node:crypto';
import { loadNativeSecp256k1 } from './native-secp256k1';
import { pureSecp256k1 } from './pure-secp256k1';
import { parseSignature, type Signature, type SignatureError } from './signature';

/** `unrecoverable`: the signature is well-formed, but no key can have made it. */
export type RecoveryError = SignatureError | 'unrecoverable';

export type RecoveredKey =
  | { readonly ok: true; /** Compressed, 33 bytes. */ readonly publicKey: Uint8Array }
  | { readonly ok: false; readonly error: RecoveryError };

/** The native bindings if they load on this machine, otherwise the pure implementation. */
const backend = loadNativeSecp256k1() ?? pureSecp256k1;

/** The library in use, for the log: `native` is about 20 times as fast as `pure`. */
export const secp256k1Backend = backend.name;

/**
 * Recovers the public key that signed the message.
 *
 * A recovered key proves nothing by itself, since almost every text and signature has one. The text is verified if the
 * key is part of the authority of the account.
 *
 * @param message the signed text, or the sha256 digest (32 bytes) of the signed bytes
 * @param signature parsed, or in hex
 * @throws RangeError if a digest is not 32 bytes long
 */
export function recoverPublicKey(message: string | Uint8Array, signature: string | Signature): RecoveredKey {
  const digest = typeof message === 'string' ? hash('sha256', message, 'buffer') : message;
  if (digest.length !== 32) throw new RangeError('a digest has 32 bytes');
  const parsed = typeof signature === 'string' ? parseSignature(signature) : { ok: true as const, signature };
  if (!parsed.ok) return parsed;
  const publicKey = backend.recover(parsed.signature.rs, parsed.signature.recoveryId, digest);
  return publicKey === undefined ? { ok: false, error: 'unrecoverable' } : { ok: true, publicKey };
}
