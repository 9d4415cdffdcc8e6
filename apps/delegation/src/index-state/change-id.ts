/** So many changes fit into a block; one of 64 KiB holds some 2,600 operations, and a hardfork may clear a large account. */
export const changesPerBlock = 2 ** 20;

/**
 * The id of a change follows from its place in the chain, so that the history has one order, whichever part of it is read
 * first. A number holds it exactly up to block 2^33, in eight hundred years.
 *
 * @param place among the changes of the block, from 0
 * @throws RangeError where a block has more changes than that
 */
export function changeId(block: number, place: number): number {
  if (place >= changesPerBlock) throw new RangeError(`block ${block} has more than ${changesPerBlock} changes`);
  return block * changesPerBlock + place;
}

/**
 * The smallest id that a change of this block or a later one can have. Somebody may ask about a block that is beyond all ids:
 * what is then given is beyond them too, and still a bigint.
 */
export function firstChangeId(block: number): number {
  return Math.min(block * changesPerBlock, Number.MAX_SAFE_INTEGER);
}
