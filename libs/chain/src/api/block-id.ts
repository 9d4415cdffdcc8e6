import { createHash } from 'node:crypto';
import { type HiveBlock } from './block-api';

/**
 * Hive uses it as the id before the first block, as the Merkle root of a block without transactions, and as the
 * transaction of a virtual operation outside any.
 */
export const zeroId = '0'.repeat(40);

/** Returns the number of a block, which is the first four bytes of its id. */
export function blockNumberOfId(id: string): number {
  return parseInt(id.slice(0, 8), 16);
}

/**
 * Computes the id of a block from its header: sha224 of the signed header as Hive packs it, cut to 20 bytes. The number
 * of the block replaces the first four. The id covers the transactions only by their Merkle root.
 *
 * @returns undefined if the header has extensions, such as the version of a witness: their serialization is not
 * implemented
 */
export function computeBlockId(block: HiveBlock): string | undefined {
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
  hash.writeUInt32BE(blockNumberOfId(block.previous) + 1, 0);
  return hash.toString('hex', 0, 20);
}
