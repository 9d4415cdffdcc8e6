import { type HiveBlock } from '../api/block-api';
import { zeroId } from '../api/block-id';
import { findUntrue } from '../api/untrue-result';
import { provenVirtualOperations } from './proven-virtual-operations';

const transactionId = 'd'.repeat(40);

function blockOf(number: number): HiveBlock {
  return {
    number,
    id: zeroId,
    previous: zeroId,
    timestamp: new Date(1_700_000_000_000 + number * 3_000),
    witness: `witness-${number}`,
    merkleRoot: zeroId,
    hasExtensions: false,
    witnessSignature: '',
    transactions: [{ id: transactionId, operations: [] }],
  };
}

const blocks = [11, 12, 13, 14].map(blockOf);

/** An operation as a node tells it. */
function told(block: number, type: string, change: object = {}): object {
  const timestamp = blockOf(block).timestamp.toISOString().slice(0, 19);
  return { trx_id: zeroId, block, timestamp, op: { type: `${type}_operation`, value: {} }, ...change };
}

function reward(block: number, producer = `witness-${block}`): object {
  return told(block, 'producer_reward', { op: { type: 'producer_reward_operation', value: { producer } } });
}

const rewards = blocks.map(({ number }) => reward(number));
const returned = told(12, 'return_vesting_delegation');
const whole = { next_block_range_begin: 15, next_operation_begin: 0 };

function judge(ops: readonly object[], page: object = whole, mustBeProven = false) {
  const result = provenVirtualOperations(blocks, mustBeProven).safeParse({ ops, ...page });
  if (!result.success) return findUntrue(result.error);
  const { operations, ...rest } = result.data;
  return {
    blocks: operations.map(({ block }) => block),
    complete: rest.completeBlocks,
    showsProperty: rest.showsProperty,
  };
}

describe('with a reward in each block', () => {
  it('all operations are taken', () => {
    const ops = [rewards[0], returned, ...rewards.slice(1)].filter((op) => op !== undefined);
    expect(judge(ops)).toEqual({ blocks: [11, 12, 12, 13, 14], complete: 4, showsProperty: true });
  });

  it.each([0, 1, 3])('a node that lacks those of one block (%i) is behind', (index) => {
    const ops = rewards.filter((_, at) => at !== index);
    expect(judge(ops)).toEqual({ kind: 'behind', detail: `no virtual operations of block ${11 + index}` });
  });

  it('a node that tells of none is behind where the chain is known to have them', () => {
    expect(judge([], whole, true)).toEqual({ kind: 'behind', detail: 'no virtual operations of block 11' });
  });

  it('what does not fit into one answer is left to the next, with the whole block', () => {
    const cut = { next_block_range_begin: 13, next_operation_begin: '55834574849' };
    const ops = [...rewards.slice(0, 2), told(13, 'hardfork_hive')];
    expect(judge(ops, cut)).toEqual({ blocks: [11, 12], complete: 2, showsProperty: true });
  });

  it('a cut within the first block cannot be gone on from', () => {
    const cut = { next_block_range_begin: 11, next_operation_begin: 1 };
    expect(judge([reward(11)], cut)).toMatchObject({ kind: 'contradiction' });
  });
});

describe('without rewards what the node says of how far it has come must do', () => {
  it.each([
    ['all', whole, { blocks: [12], complete: 4, showsProperty: false }],
    [
      'a part',
      { ...whole, next_block_range_begin: 14 },
      { kind: 'behind', detail: 'no virtual operations of block 14' },
    ],
    [
      'nothing',
      { ...whole, next_block_range_begin: 0 },
      { kind: 'behind', detail: 'no virtual operations of block 11' },
    ],
  ])('%s', (_what, page, expected) => {
    expect(judge([returned], page)).toEqual(expected);
  });
});

it.each([
  ['of a block that was not asked for', [...rewards, reward(15)]],
  ['with another time', [...rewards, told(14, 'hardfork_hive', { timestamp: '2020-01-01T00:00:00' })]],
  ['by which another made the block', [...rewards.slice(0, 3), reward(14, 'mallory')]],
  ['out of order', rewards.toReversed()],
])('operations %s are refused', (_what, ops) => {
  expect(judge(ops)).toMatchObject({ kind: 'contradiction' });
});

it('an operation of a transaction that is not in the block may show that the block is wrong', () => {
  const ops = [...rewards, told(14, 'hardfork_hive', { trx_id: 'e'.repeat(40) })];
  expect(judge(ops)).toMatchObject({ kind: 'mismatch' });
});

it('an operation of a transaction of the block is taken', () => {
  const ops = [...rewards, told(14, 'account_created', { trx_id: transactionId })];
  expect(judge(ops)).toMatchObject({ blocks: [11, 12, 13, 14, 14] });
});
