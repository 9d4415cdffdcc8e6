/** Which of the up to four points with this r the signer used, 0 to 3. Only 0 and 1 occur in practice. */
export type RecoveryId = 0 | 1 | 2 | 3;

/** A parsed signature: canonical, so 0 < r, s < the group order. */
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

/**
 * The recovery byte is this number plus the recovery id: 27 as in Bitcoin, and 4 for a compressed key.
 *
 * hive-js, dhive and beem write 31 to 34 only, so 27 to 30 (for uncompressed keys) are rejected. When reading, hive-js accepts
 * 27 to 34 and uses the two lowest bits of the difference from 27.
 */
const compressedKeyOffset = 31;

/**
 * Reads a signature from 130 hex characters: recovery byte (31 to 34), r, s.
 *
 * Anyone can change a signature into another valid one (s into n - s); only one of the two is canonical. Even so, never use a
 * signature as the key that identifies a proof.
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

/** The rule of fc (`is_fc_canonical` in elliptic_common.cpp), which clients follow when they sign. */
function isCanonical(rs: Uint8Array): boolean {
  return isMinimalPositive(rs[0], rs[1]) && isMinimalPositive(rs[32], rs[33]);
}

/**
 * Whether DER encodes a number with these first bytes in exactly 32 bytes: its top bit is clear, and it has no unnecessary
 * leading zero byte. Such a number is not zero and less than 2^255, so less than the group order.
 */
function isMinimalPositive(first = 0, second = 0): boolean {
  return first < 0x80 && (first > 0 || second >= 0x80);
}
