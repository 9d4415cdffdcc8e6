/**
 * Maximum number of changes in a block: a block of 64 KiB has about 2,600 operations, but a hardfork may clear a large
 * account.
 */
export const changesPerBlock = 2 ** 20;

/**
 * The id of a change, derived from its position in the chain, so that the order of the history does not depend on which
 * part is read first. A number represents it exactly up to block 2^33, in 800 years.
 *
 * @param position among the changes of the block, from 0
 * @throws RangeError if the block has too many changes
 */
export function changeId(block: number, position: number): number {
  if (position >= changesPerBlock) throw new RangeError(`block ${block} has more than ${changesPerBlock} changes`);
  return block * changesPerBlock + position;
}

/**
 * The smallest id that a change of this block or a later one can have. For a block beyond all ids, which a request may
 * name, the result is also beyond them and still fits a bigint.
 */
export function firstChangeId(block: number): number {
  return Math.min(block * changesPerBlock, Number.MAX_SAFE_INTEGER);
}
