/** Which of the up to four points with this r the signer used, 0 to 3. Only 0 and 1 occur in practice. */
export type RecoveryId = 0 | 1 | 2 | 3;

/** A signature as it was read: canonical, so 0 < r, s < the group order. */
export interface Signature {
  readonly recoveryId: RecoveryId;
  /** r and s, 32 bytes each, big-endian. */
  readonly rs: Uint8Array;
}

/** `malformed`: not 65 bytes in hex, or a recovery byte that is none. `not-canonical`: no node would let it pass. */
export type SignatureFault = 'malformed' | 'not-canonical';

export type ParsedSignature =
  { readonly ok: true; readonly signature: Signature } | { readonly ok: false; readonly fault: SignatureFault };

/** One recovery byte, 32 bytes of r, 32 bytes of s: two hex digits each, in either case. */
const signatureHex = /^[0-9a-fA-F]{130}$/;

/**
 * The recovery byte is this number and the recovery id: 27 as in Bitcoin, and 4 for a compressed key.
 *
 * hive-js writes 31 to 34 only, as dhive and beem do, and so 27 to 30 (the form for uncompressed keys) are refused here.
 * When reading, hive-js lets 27 to 34 pass and takes the two lowest bits of what is above 27.
 */
const compressedKeyOffset = 31;

/**
 * Reads a signature from 130 hex characters: recovery byte (31 to 34), r, s.
 *
 * A signature can be changed into another valid one by anybody (s into n - s); the canonical form leaves only one of
 * the two. Even so, never take a signature as the key under which a use is remembered.
 */
export function parseSignature(hex: string): ParsedSignature {
  if (!signatureHex.test(hex)) return { ok: false, fault: 'malformed' };
  const bytes = Buffer.from(hex, 'hex');
  const recoveryId = parseRecoveryByte(bytes.readUInt8(0));
  if (recoveryId === undefined) return { ok: false, fault: 'malformed' };
  const rs = new Uint8Array(bytes.subarray(1));
  if (!isCanonical(rs)) return { ok: false, fault: 'not-canonical' };
  return { ok: true, signature: { recoveryId, rs } };
}

function parseRecoveryByte(byte: number): RecoveryId | undefined {
  const id = byte - compressedKeyOffset;
  return id === 0 || id === 1 || id === 2 || id === 3 ? id : undefined;
}

/** The rule of fc (`is_fc_canonical` in elliptic_common.cpp), by which clients choose the signatures they send. */
function isCanonical(rs: Uint8Array): boolean {
  return isMinimalPositive(rs[0], rs[1]) && isMinimalPositive(rs[32], rs[33]);
}

/**
 * Whether a number that begins with these bytes would be written in DER with exactly 32 bytes: top bit clear, and no
 * leading zero byte that is not needed for that. Such a number is not zero and is below 2^255, so below the group order.
 */
function isMinimalPositive(first = 0, second = 0): boolean {
  return first < 0x80 && (first > 0 || second >= 0x80);
}
