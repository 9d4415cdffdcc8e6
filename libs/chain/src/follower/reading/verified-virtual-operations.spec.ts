import { type HiveBlock } from '../../api/block-api';
import { zeroId } from '../../api/block-id';
import { findUntrue } from '../../api/untrue-result';
import { type VerificationOptions, verifiedVirtualOperations } from './verified-virtual-operations';

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

/** An operation as a node returns it. */
function operation(block: number, type: string, change: object = {}): object {
  const timestamp = blockOf(block).timestamp.toISOString().slice(0, 19);
  return { trx_id: zeroId, block, timestamp, op: { type: `${type}_operation`, value: {} }, ...change };
}

function reward(block: number, producer = `witness-${block}`): object {
  return operation(block, 'producer_reward', { op: { type: 'producer_reward_operation', value: { producer } } });
}

const rewards = blocks.map(({ number }) => reward(number));
const vestingReturn = operation(12, 'return_vesting_delegation');
const whole = { next_block_range_begin: 15, next_operation_begin: 0 };

/** Returns what is accepted of a response, or why it is rejected. */
function verify(ops: readonly object[], page: object = whole, options: Partial<VerificationOptions> = {}) {
  const defaults = { requiresRewards: false, missing: 'behind' as const, requiredFields: new Map<string, string[]>() };
  const result = verifiedVirtualOperations(blocks, { ...defaults, ...options }).safeParse({ ops, ...page });
  if (!result.success) return findUntrue(result.error);
  const { operations, ...rest } = result.data;
  return {
    blocks: operations.map(({ block }) => block),
    complete: rest.completeBlocks,
    showsProperty: rest.showsProperty,
  };
}

describe('with a reward in each block', () => {
  it('all operations are accepted', () => {
    const ops = [rewards[0], vestingReturn, ...rewards.slice(1)].filter((op) => op !== undefined);
    expect(verify(ops)).toEqual({ blocks: [11, 12, 12, 13, 14], complete: 4, showsProperty: true });
  });

  const noneOf = (block: number) => ({
    kind: 'behind',
    detail: `no irreversible virtual operations of block ${block}`,
  });

  it.each([0, 1, 2])('a node that lacks the operations of one block (%i) before others is behind', (index) => {
    const ops = rewards.filter((_, at) => at !== index);
    expect(verify(ops, whole, { missing: 'not-stored' })).toEqual(noneOf(11 + index));
  });

  it('a node that lacks the operations of the last blocks is read again from there', () => {
    expect(verify(rewards.slice(0, 2))).toEqual({ blocks: [11, 12], complete: 2, showsProperty: true });
  });

  it('a node that returns none is behind, or has not stored them yet, if the chain is known to have them', () => {
    expect(verify([], whole, { requiresRewards: true })).toEqual(noneOf(11));
    const missing = 'not-stored';
    expect(verify([], whole, { requiresRewards: true, missing })).toEqual({ ...noneOf(11), kind: missing });
  });

  it('reversible blocks, and those after them, are left out', () => {
    const grouped = (isIrreversible: (block: number) => boolean) => ({
      ...whole,
      ops_by_block: rewards.map((op, index) => ({
        block: 11 + index,
        irreversible: isIrreversible(11 + index),
        ops: [op],
      })),
    });
    const irreversible = (test: (block: number) => boolean) => verify([], grouped(test));
    expect(irreversible(() => true)).toMatchObject({ complete: 4 });
    expect(irreversible((block) => block <= 12)).toMatchObject({ blocks: [11, 12], complete: 2 });
    expect(irreversible((block) => block !== 12)).toMatchObject({ blocks: [11], complete: 1 });
    expect(irreversible(() => false)).toEqual(noneOf(11));
  });

  it('reversible operations are not verified', () => {
    const fork = { block: 13, irreversible: false, ops: [operation(13, 'hardfork_hive', { trx_id: 'e'.repeat(40) })] };
    expect(verify(rewards.slice(0, 2), { ...whole, ops_by_block: [fork] })).toMatchObject({ complete: 2 });
  });

  it('a block that does not fit into a response is read completely from the next one', () => {
    const cut = { next_block_range_begin: 13, next_operation_begin: '55834574849' };
    const ops = [...rewards.slice(0, 2), operation(13, 'hardfork_hive')];
    expect(verify(ops, cut)).toEqual({ blocks: [11, 12], complete: 2, showsProperty: true });
  });

  it('a response that is cut within its first block is rejected', () => {
    const cut = { next_block_range_begin: 11, next_operation_begin: 1 };
    expect(verify([reward(11)], cut)).toMatchObject({ kind: 'contradiction' });
  });
});

describe('without rewards, the position reported by the node counts', () => {
  it.each([
    ['all', whole, { blocks: [12], complete: 4, showsProperty: false }],
    ['a part', { ...whole, next_block_range_begin: 14 }, { blocks: [12], complete: 3, showsProperty: false }],
    ['nothing', { ...whole, next_block_range_begin: 11 }, { kind: 'behind' }],
    ['all that the node has', { ...whole, next_block_range_begin: 0 }, { blocks: [12], complete: 4 }],
  ])('%s', (_what, page, expected) => {
    expect(verify([vestingReturn], page)).toMatchObject(expected);
  });
});

it.each([
  ['of a block that was not requested', [...rewards, reward(15)]],
  ['with another time', [...rewards, operation(14, 'hardfork_hive', { timestamp: '2020-01-01T00:00:00' })]],
  ['with a reward for another witness', [...rewards.slice(0, 3), reward(14, 'mallory')]],
  ['out of order', rewards.toReversed()],
])('operations %s are rejected', (_what, ops) => {
  expect(verify(ops)).toMatchObject({ kind: 'contradiction' });
});

it('an operation of a transaction that is not in the block may show that the block is wrong', () => {
  const ops = [...rewards, operation(14, 'hardfork_hive', { trx_id: 'e'.repeat(40) })];
  expect(verify(ops)).toMatchObject({ kind: 'mismatch' });
});

it('a node that omits a required field is outdated', () => {
  const requiredFields = new Map([['comment_reward_operation', ['total_payout_value']]]);
  const payout = (value: object) =>
    operation(14, 'comment_reward', { op: { type: 'comment_reward_operation', value } });
  const detail = 'comment_reward_operation has no total_payout_value: an older version';
  expect(verify([...rewards, payout({ payout: {} })], whole, { requiredFields })).toEqual({ kind: 'outdated', detail });
  expect(verify([...rewards, payout({ total_payout_value: {} })], whole, { requiredFields })).toMatchObject({
    complete: 4,
  });
});

it('an operation of a transaction of the block is accepted', () => {
  const ops = [...rewards, operation(14, 'account_created', { trx_id: transactionId })];
  expect(verify(ops)).toMatchObject({ blocks: [11, 12, 13, 14, 14] });
});
