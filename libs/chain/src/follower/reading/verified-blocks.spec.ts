import { hiveBlock } from '../../api/block-api';
import { computeBlockId, zeroId } from '../../api/block-id';
import { findUntrue } from '../../api/untrue-result';
import { blockIdentity, type BlockRange, verifiedBlocks } from './verified-blocks';

const transaction = { operations: [{ type: 'transfer_operation', value: { memo: 'hi' } }] };

/** A block as a node returns it. */
type Returned = ReturnType<typeof blockAfter>;

function blockAfter(previous: string, number: number) {
  const block = {
    block_id: number.toString(16).padStart(8, '0').padEnd(40, 'a'),
    previous,
    timestamp: new Date(1_700_000_000_000 + number * 3_000).toISOString().slice(0, 19),
    witness: 'initminer',
    transaction_merkle_root: 'b'.repeat(40),
    extensions: [] as unknown[],
    witness_signature: 'c'.repeat(130),
    transactions: [transaction],
    transaction_ids: ['d'.repeat(40)],
  };
  return block;
}

/** Blocks from 11 on, with ids that are made up, or computed from their headers. */
function chainOf(count: number, ids: 'made up' | 'hashed'): Returned[] {
  const blocks: Returned[] = [];
  for (let number = 11; number < 11 + count; number++) {
    const block = blockAfter(blocks.at(-1)?.block_id ?? before.id, number);
    if (ids === 'hashed') block.block_id = computeBlockId(hiveBlock.parse(block)) ?? '';
    blocks.push(block);
  }
  return blocks;
}

const before = { number: 10, id: '0000000a'.padEnd(40, '0') };
const from11To15: BlockRange = { after: before, last: 15 };

/** Finds why a response is rejected. */
function rejection(blocks: readonly unknown[], range = from11To15, mustBeHashes = false) {
  const { error } = verifiedBlocks(range, { mustBeHashes, missing: 'behind' }).safeParse({ blocks });
  return error && findUntrue(error);
}

const contradiction = (detail: string) => ({ kind: 'contradiction', detail });

describe.each(['made up', 'hashed'] as const)('blocks whose ids are %s', (ids) => {
  const blocks = chainOf(5, ids);
  const without = (index: number) => blocks.filter((_, at) => at !== index);

  it('are accepted if they follow one another', () => {
    expect(verifiedBlocks(from11To15, { mustBeHashes: false, missing: 'behind' }).parse({ blocks })).toMatchObject({
      blocks: blocks.map(({ block_id: id }) => ({ id })),
      showsProperty: ids === 'hashed',
    });
    expect(rejection(blocks.slice(0, 2))).toBeUndefined();
  });

  it.each([
    ['there is none', [], { kind: 'behind', detail: 'no block 11' }],
    ['the first is missing', without(0), contradiction('block 11 is missing: 12 is in its place')],
    ['one between is missing', without(2), contradiction('block 13 is missing: 14 is in its place')],
    [
      'one comes twice',
      [...blocks.slice(0, 2), ...blocks.slice(1)],
      contradiction('block 13 is missing: 12 is in its place'),
    ],
    ['they are out of order', blocks.toReversed(), contradiction('block 11 is missing: 15 is in its place')],
  ])('are rejected if %s', (_what, returned, expected) => {
    expect(rejection(returned)).toEqual(expected);
  });

  it('are rejected if there are more than requested', () => {
    expect(rejection(blocks, { ...from11To15, last: 14 })).toEqual(contradiction('block 15 was not requested'));
  });

  it('are rejected if the first does not follow the known block', () => {
    const after = { ...before, id: '0000000a'.padEnd(40, '1') };
    expect(rejection(blocks, { ...from11To15, after })).toEqual(contradiction('block 11 does not follow block 10'));
    expect(rejection(blocks, { ...from11To15, after: { ...before, id: undefined } })).toBeUndefined();
  });

  it('are rejected if the last is not the known one', () => {
    expect(rejection(blocks, { ...from11To15, id: blocks[4]?.block_id })).toBeUndefined();
    expect(rejection(blocks, { ...from11To15, id: zeroId })).toEqual(
      contradiction('block 15 is not the one that is known'),
    );
  });

  it('are rejected if one does not follow the one before', () => {
    const returned = blocks.map((block, at) => (at === 3 ? { ...block, previous: zeroId } : block));
    expect(rejection(returned)).toEqual(contradiction('block 14 does not follow block 13'));
  });
});

describe('a header whose hash is not the id', () => {
  const blocks = chainOf(5, 'hashed');
  const changes = [
    ['another witness', { witness: 'mallory' }],
    ['another time', { timestamp: '2030-01-01T00:00:00' }],
    ['another root', { transaction_merkle_root: 'e'.repeat(40) }],
  ] as const;

  it.each(changes)('is rejected: %s', (_what, change) => {
    const returned = blocks.map((block, at) => (at === 2 ? { ...block, ...change } : block));
    expect(rejection(returned)).toEqual(contradiction('the id of block 13 is not the hash of its header'));
  });

  it.each(changes)(
    'is rejected in a single block if the ids of the chain are known to be hashes: %s',
    (_what, change) => {
      const returned = [{ ...blocks[0], ...change }];
      expect(rejection(returned, from11To15, true)).toEqual(
        contradiction('the id of block 11 is not the hash of its header'),
      );
      expect(rejection(returned)).toBeUndefined();
    },
  );

  it('is not detected with extensions, which cannot be hashed', () => {
    const returned = blocks.map((block, at) => (at === 2 ? { ...block, extensions: [['version', '1.28.6']] } : block));
    expect(rejection(returned)).toBeUndefined();
  });

  it.each([{ previous: 'e'.repeat(40) }, ...changes.map(([, change]) => change)])(
    'makes a different block if there are extensions, even with the same id: %j',
    (change) => {
      const identities = [{}, change].map((header) => {
        const block = { ...blocks[0], extensions: [['version', '1.28.6']], ...header };
        return blockIdentity(11, { mustBeHash: true }).parse({ blocks: [block] });
      });
      expect(identities[1]).not.toBe(identities[0]);
    },
  );
});

it.each(['1969-12-31T23:59:59', '2106-02-07T06:28:16', '9999-12-31T23:59:59'])(
  'a block with a time that no block can have is invalid, instead of an exception: %s',
  (timestamp) => {
    const blocks = [{ ...blockAfter(before.id, 11), timestamp }];
    expect(verifiedBlocks(from11To15, { mustBeHashes: false, missing: 'behind' }).safeParse({ blocks }).success).toBe(
      false,
    );
    expect(blockIdentity(11, { mustBeHash: true }).safeParse({ blocks }).success).toBe(false);
  },
);

it.each(['made up', 'hashed'] as const)(
  'a body that contradicts its header is rejected, with ids that are %s',
  (ids) => {
    const [first] = chainOf(1, ids);
    const blocks = [{ ...first, transaction_merkle_root: zeroId }];
    const expected = contradiction('block 11 has transactions and no Merkle root');
    expect(rejection(blocks)).toEqual(expected);
    expect(rejection(blocks, from11To15, true)).toEqual(expected);
    const { error } = blockIdentity(11, { mustBeHash: true }).safeParse({ blocks });
    expect(error && findUntrue(error)).toEqual(expected);
  },
);
