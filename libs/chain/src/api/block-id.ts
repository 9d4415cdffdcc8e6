import { createHash } from 'node:crypto';
import { type HiveBlock } from './block-api';

/** The id of the block before the first, and the Merkle root of no transactions. */
export const zeroId = '0'.repeat(40);

/** The number of a block, which is the first four bytes of its id. */
export function numberOfId(id: string): number {
  return parseInt(id.slice(0, 8), 16);
}

/**
 * Computes the id of a block from its header: sha224 of the signed header as Hive packs it, cut to 20 bytes, with the number
 * as the first four. It covers the transactions only by their Merkle root.
 *
 * @returns undefined for a header with extensions (witnesses report their version by them): how these are packed depends
 *   on their kind
 */
export function idByHeader(block: HiveBlock): string | undefined {
  if (block.hasExtensions) return undefined;
  const time = Buffer.alloc(4);
  time.writeUInt32LE(block.timestamp.getTime() / 1_000);
  const witness = Buffer.from(block.witness);
  const hash = createHash('sha224')
    .update(block.previous, 'hex')
    .update(time)
    // A length below 128 takes one byte; names have 16 characters at most.
    .update(Buffer.of(witness.length))
    .update(witness)
    .update(block.merkleRoot, 'hex')
    // The number of extensions.
    .update(Buffer.of(0))
    .update(block.witnessSignature, 'hex')
    .digest();
  hash.writeUInt32BE(numberOfId(block.previous) + 1, 0);
  return hash.toString('hex', 0, 20);
}
