import { ecdsa } from '@noble/curves/abstract/weierstrass';
import { secp256k1 } from '@noble/curves/secp256k1';
import { sha256 } from '@noble/hashes/sha2';
import { type Secp256k1Backend } from './secp256k1';

/** The types of noble's ready-made curve lack the recovery of keys, so it is put together here. */
const signatures = ecdsa(secp256k1.Point, sha256);

/** noble's implementation, without native code: about 1 ms for a signature. */
export const pureSecp256k1: Secp256k1Backend = {
  name: 'pure',
  recover(rs, recoveryId, digest) {
    try {
      return signatures.recoverPublicKey(Uint8Array.of(recoveryId, ...rs), digest, { prehash: false });
    } catch {
      // The only way noble says "no such key"; the lengths and ranges it checks besides hold already.
      return undefined;
    }
  },
};
