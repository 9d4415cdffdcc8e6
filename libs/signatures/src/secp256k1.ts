import { type RecoveryId } from './signature';

/** The operations on the curve, implemented by one of two libraries. */
export interface Secp256k1Backend {
  readonly name: 'native' | 'pure';

  /**
   * Recovers the compressed public key (33 bytes) that signed the digest; undefined if there is none.
   *
   * @param rs r and s, each in its range, 64 bytes
   * @param digest 32 bytes
   */
  recover(rs: Uint8Array, recoveryId: RecoveryId, digest: Uint8Array): Uint8Array | undefined;
}
