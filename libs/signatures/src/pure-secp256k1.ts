import { ecdsa } from '@noble/curves/abstract/weierstrass';
import { secp256k1 } from '@noble/curves/secp256k1';
import { sha256 } from '@noble/hashes/sha2';
import { type Secp256k1Backend } from './secp256k1';

/** The types of noble's predefined curve lack key recovery, so the curve is created here. */
const signatures = ecdsa(secp256k1.Point, sha256);

/** noble's implementation, without native code: about 1 ms for a signature. */
export const pureSecp256k1: Secp256k1Backend = {
  name: 'pure',
  recover(rs, recoveryId, digest) {
    try {
      return signatures.recoverPublicKey(Uint8Array.of(recoveryId, ...rs), digest, { prehash: false });
    } catch {
      // noble reports "no such key" only by an exception. Lengths and ranges are checked before.
      return undefined;
    }
  },
};
