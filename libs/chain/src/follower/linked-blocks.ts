import { z } from 'zod';
import { blockRange, type HiveBlock } from '../api/block-api';
import { idByHeader } from '../api/block-id';
import { untrue } from '../api/untrue-result';
import { type ShowsProperty } from './chain-property';

/** Blocks that follow one another. */
export interface LinkedBlocks extends ShowsProperty {
  /** At least one. */
  readonly blocks: readonly HiveBlock[];
  /** Whether the header of one of them gives its id. */
  readonly showsProperty: boolean;
}

/** The blocks that are asked for. */
export interface BlockRange {
  /** The block before the first; its id may be unknown. */
  readonly after: { readonly number: number; readonly id: string | undefined };
  readonly last: number;
  /** Of the last one, where that is known. */
  readonly id?: string | undefined;
}

/**
 * The shape of an answer of `get_block_range`: blocks of the range from its beginning and without a gap, each naming the
 * one before. Fewer than asked for are taken as they are, none at all is `behind`.
 *
 * @param mustBeHashes whether the ids must be hashes of the headers, where these can be judged. They must also where one of
 *   them is. (Some test nodes make up their ids.)
 */
export function linkedBlocks(range: BlockRange, mustBeHashes: boolean): z.ZodType<LinkedBlocks> {
  return blockRange.transform(({ blocks }, context) => {
    if (blocks.length === 0) {
      context.issues.push(untrue(blocks, 'behind', `no block ${range.after.number + 1}`));
      return z.NEVER;
    }
    const judged = blocks.map(judge);
    const showsProperty = judged.includes('genuine');
    const fault =
      findBrokenLink(blocks, range) ?? (mustBeHashes || showsProperty ? findForgery(blocks, judged) : undefined);
    if (fault !== undefined) context.issues.push(untrue(blocks, 'contradiction', fault));
    return { blocks, showsProperty };
  });
}

/**
 * What has to be equal if two nodes have the same block: its id and, if it cannot be checked that the id is the hash of the header,
 * that header. Otherwise a node could give a header of its own the true id, by adding an extension.
 */
export function identityOf({ id, hasExtensions, ...header }: HiveBlock): string {
  if (!hasExtensions) return id;
  return [id, header.previous, header.timestamp.toISOString(), header.witness, header.merkleRoot].join(' ');
}

/**
 * The shape of an answer of `get_block_range` for one block: its `identityOf`, undefined if the node does not have it.
 *
 * @param mustBeHash as of `linkedBlocks`
 */
export function blockIdentity(number: number, mustBeHash: boolean): z.ZodType<string | undefined> {
  return blockRange.transform(({ blocks }, context) => {
    const [block] = blocks;
    if (block === undefined) return undefined;
    const range = { after: { number: number - 1, id: undefined }, last: number };
    const fault = findBrokenLink(blocks, range) ?? (mustBeHash ? findForgery(blocks, blocks.map(judge)) : undefined);
    if (fault !== undefined) context.issues.push(untrue(blocks, 'contradiction', fault));
    return identityOf(block);
  });
}

function findBrokenLink(blocks: readonly HiveBlock[], { after, last, id }: BlockRange): string | undefined {
  let before = after;
  for (const block of blocks) {
    const expected = before.number + 1;
    if (block.number > last) return `block ${block.number} was not asked for`;
    if (block.number !== expected) return `block ${expected} is missing: ${block.number} is in its place`;
    if (before.id !== undefined && block.previous !== before.id)
      return `block ${expected} does not follow block ${before.number}`;
    if (block.number === last && id !== undefined && block.id !== id) return `block ${last} is another one than before`;
    before = block;
  }
  return undefined;
}

type Judgement = 'genuine' | 'forged' | 'unknown';

/** Whether what the header says is what the id was made of. */
function judge(block: HiveBlock): Judgement {
  const id = idByHeader(block);
  if (id === undefined) return 'unknown';
  return id === block.id ? 'genuine' : 'forged';
}

function findForgery(blocks: readonly HiveBlock[], judged: readonly Judgement[]): string | undefined {
  const forged = blocks[judged.indexOf('forged')];
  return forged && `block ${forged.number} has other content than its id`;
}
