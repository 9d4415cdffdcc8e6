import { z } from 'zod';
import { blockRange, type HiveBlock } from '../../api/block-api';
import { computeBlockId } from '../../api/block-id';
import { untrueIssue } from '../../api/untrue-result';
import { type ShowsProperty } from './property-detector';
import { type StorageAttempt } from './storage-delay';

/** Consecutive blocks, each with the id of the one before. */
export interface VerifiedBlocks extends ShowsProperty {
  /** The blocks, at least one. */
  readonly blocks: readonly HiveBlock[];
  /** Whether the id of one of them is the hash of its header. */
  readonly showsProperty: boolean;
}

/** The requested blocks. */
export interface BlockRange {
  /** The block before the first; its id may be unknown. */
  readonly after: { readonly number: number; readonly id: string | undefined };
  readonly last: number;
  /** The id of the last block, if it is known. */
  readonly id?: string | undefined;
}

export interface BlockVerification {
  /**
   * Whether every id that can be verified must be the hash of its header. This is required anyway if one of them is.
   * (Some test nodes make up their ids.)
   */
  readonly mustBeHashes: boolean;
  /** The kind of failure if the node has no block of the range. */
  readonly missing: StorageAttempt['missing'];
}

/**
 * The schema of a response of `get_block_range`: blocks of the range from its beginning, without a gap, each with the
 * id of the one before. Fewer blocks than requested are accepted. Bodies are checked by `hiveBlock`.
 */
export function verifiedBlocks(
  range: BlockRange,
  { mustBeHashes, missing }: BlockVerification,
): z.ZodType<VerifiedBlocks> {
  return blockRange.transform(({ blocks }, context) => {
    if (blocks.length === 0) {
      context.issues.push(untrueIssue(blocks, missing, `no block ${range.after.number + 1}`));
      return z.NEVER;
    }
    const states = blocks.map(idState);
    const showsProperty = states.includes('hash');
    const contradiction =
      findBrokenLink(blocks, range) ?? (mustBeHashes || showsProperty ? findForgery(blocks, states) : undefined);
    if (contradiction !== undefined) context.issues.push(untrueIssue(blocks, 'contradiction', contradiction));
    return { blocks, showsProperty };
  });
}

/**
 * Identifies a block when nodes are compared: by its id and, if that cannot be verified to be the hash of the header,
 * by the header. Otherwise a node could return another header under the true id, by adding an extension.
 */
export function identityOf({ id, hasExtensions, ...header }: HiveBlock): string {
  if (!hasExtensions) return id;
  return [id, header.previous, header.timestamp.toISOString(), header.witness, header.merkleRoot].join(' ');
}

/**
 * The schema of a response of `get_block_range` for one block: its `identityOf`, undefined if the node does not have
 * it.
 *
 * @param options `mustBeHash` as `mustBeHashes` of `BlockVerification`
 */
export function blockIdentity(
  number: number,
  { mustBeHash }: { readonly mustBeHash: boolean },
): z.ZodType<string | undefined> {
  return blockRange.transform(({ blocks }, context) => {
    const [block] = blocks;
    if (block === undefined) return undefined;
    const range = { after: { number: number - 1, id: undefined }, last: number };
    const contradiction =
      findBrokenLink(blocks, range) ?? (mustBeHash ? findForgery(blocks, blocks.map(idState)) : undefined);
    if (contradiction !== undefined) context.issues.push(untrueIssue(blocks, 'contradiction', contradiction));
    return identityOf(block);
  });
}

function findBrokenLink(blocks: readonly HiveBlock[], { after, last, id }: BlockRange): string | undefined {
  let before = after;
  for (const block of blocks) {
    const expected = before.number + 1;
    if (block.number > last) return `block ${block.number} was not requested`;
    if (block.number !== expected) return `block ${expected} is missing: ${block.number} is in its place`;
    if (before.id !== undefined && block.previous !== before.id)
      return `block ${expected} does not follow block ${before.number}`;
    if (block.number === last && id !== undefined && block.id !== id)
      return `block ${last} is not the one that is known`;
    before = block;
  }
  return undefined;
}

/** `unknown`: a header with extensions cannot be hashed. */
type IdState = 'hash' | 'no-hash' | 'unknown';

/** Whether the id of a block is the hash of its header. */
function idState(block: HiveBlock): IdState {
  const id = computeBlockId(block);
  if (id === undefined) return 'unknown';
  return id === block.id ? 'hash' : 'no-hash';
}

function findForgery(blocks: readonly HiveBlock[], states: readonly IdState[]): string | undefined {
  const forged = blocks[states.indexOf('no-hash')];
  return forged && `the id of block ${forged.number} is not the hash of its header`;
}
