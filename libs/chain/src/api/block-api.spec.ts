import { hiveBlock } from './block-api';
import { zeroId } from './block-id';
import { findUntrue } from './untrue-result';

const transaction = { operations: [{ type: 'transfer_operation', value: { memo: 'hi' } }] };

/** Block 13, as a node returns it. */
const block = {
  block_id: '0000000d'.padEnd(40, 'a'),
  previous: '0000000c'.padEnd(40, 'a'),
  timestamp: '2023-11-14T22:13:20',
  witness: 'initminer',
  transaction_merkle_root: 'b'.repeat(40),
  extensions: [] as unknown[],
  witness_signature: 'c'.repeat(130),
  transactions: [transaction],
  transaction_ids: ['d'.repeat(40)],
};

const empty = { transactions: [], transaction_ids: [] };

describe.each([
  ['without extensions', []],
  ['with extensions', [['version', '1.28.6']]],
])('a block %s', (_what, extensions) => {
  it.each([
    ['transactions and a Merkle root', {}],
    ['neither transactions nor a Merkle root', { ...empty, transaction_merkle_root: zeroId }],
  ])('is valid with %s', (_body, change) => {
    expect(hiveBlock.safeParse({ ...block, extensions, ...change }).success).toBe(true);
  });

  it.each([
    ['no transactions', empty, 'block 13 has a Merkle root and no transactions'],
    ['no root', { transaction_merkle_root: zeroId }, 'block 13 has transactions and no Merkle root'],
    ['fewer ids', { transaction_ids: [] }, 'block 13 has 1 transactions and 0 transaction ids'],
    [
      'a transaction twice',
      { transactions: [transaction, transaction], transaction_ids: ['d'.repeat(40), 'd'.repeat(40)] },
      'block 13 has a transaction twice',
    ],
  ])('contradicts its header or itself with %s', (_body, change, detail) => {
    const { error } = hiveBlock.safeParse({ ...block, extensions, ...change });
    expect(error && findUntrue(error)).toEqual({ kind: 'contradiction', detail });
  });
});
