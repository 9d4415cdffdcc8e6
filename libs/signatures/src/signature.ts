/** Which of the up to four points with this r the signer used, 0 to 3. Only 0 and 1 occur in practice. */
export type RecoveryId = 0 | 1 | 2 | 3;

/** A parsed signature: canonical, so r and s are in the ranges of `isCanonical`. */
export interface Signature {
  readonly recoveryId: RecoveryId;
  /** r and s, 32 bytes each, big-endian. */
  readonly rs: Uint8Array;
}

/** `malformed`: not 65 bytes in hex, or an invalid recovery byte. `not-canonical`: nodes reject it. */
export type SignatureError = 'malformed' | 'not-canonical';

export type ParsedSignature =
  | { readonly ok: true; readonly signature: Signature }
  | { readonly ok: false; readonly error: SignatureError };

/** One recovery byte, 32 bytes of r, 32 bytes of s: two hex digits each, in either case. */
const signatureHex = /^[0-9a-fA-F]{130}$/;

/** n, the order of the group of secp256k1, and half of it, rounded down: 32 bytes each. */
const groupOrder = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');
const halfGroupOrder = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');

/**
 * The recovery byte is this number plus the recovery id: 27 as in Bitcoin, and 4 for a compressed key.
 *
 * hive-js, dhive and beem write 31 to 34 only, so 27 to 30 (for uncompressed keys) are rejected. When reading, hive-js
 * accepts 27 to 34 and uses the two lowest bits of the difference from 27.
 */
const compressedKeyOffset = 31;

/**
 * Reads a signature from 130 hex characters: recovery byte (31 to 34), r, s.
 *
 * Anyone can change a signature into another valid one (s into n - s); only one of the two is canonical. Even so, never
 * use a signature as the key that identifies a proof.
 */
export function parseSignature(hex: string): ParsedSignature {
  if (!signatureHex.test(hex)) return { ok: false, error: 'malformed' };
  const bytes = Buffer.from(hex, 'hex');
  const recoveryId = parseRecoveryByte(bytes.readUInt8(0));
  if (recoveryId === undefined) return { ok: false, error: 'malformed' };
  const rs = new Uint8Array(bytes.subarray(1));
  if (!isCanonical(rs)) return { ok: false, error: 'not-canonical' };
  return { ok: true, signature: { recoveryId, rs } };
}

function parseRecoveryByte(byte: number): RecoveryId | undefined {
  const id = byte - compressedKeyOffset;
  return id === 0 || id === 1 || id === 2 || id === 3 ? id : undefined;
}

/**
 * Whether 0 < r < n and 0 < s <= n/2. This is the chain's rule since hard fork 20 (`bip_0062` in fc's
 * elliptic_common.cpp). Before, it required the top bits of r and s to be clear; hive-js and dhive still sign like
 * that, beekeeper and hive-tx do not.
 */
function isCanonical(rs: Uint8Array): boolean {
  const [r, s] = [rs.subarray(0, 32), rs.subarray(32)];
  return isPositive(r) && Buffer.compare(r, groupOrder) < 0 && isPositive(s) && Buffer.compare(s, halfGroupOrder) <= 0;
}

function isPositive(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte !== 0);
}
