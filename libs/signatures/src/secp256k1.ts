import { type RecoveryId } from './signature';

/** What is needed of the curve, by whichever library does it. */
export interface Secp256k1Backend {
  readonly name: 'native' | 'pure';

  /**
   * The compressed public key (33 bytes) that made the signature of the digest; undefined where there is none.
   *
   * @param rs r and s, each in its range, 64 bytes
   * @param digest 32 bytes
   */
  recover(rs: Uint8Array, recoveryId: RecoveryId, digest: Uint8Array): Uint8Array | undefined;
}
