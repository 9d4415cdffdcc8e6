import { type HiveBlock, type HiveOperation } from '../api/block-api';
import { zeroId } from '../api/block-id';
import { followedBlock, withoutUnwanted } from './followed-block';

const id = (number: number) => `${number}`.padStart(40, '0');

const block: HiveBlock = {
  ...{ number: 7, id: id(7), previous: id(6), timestamp: new Date('2026-01-01T00:00:00Z') },
  ...{ witness: 'initminer', merkleRoot: id(1), hasExtensions: false, witnessSignature: '' },
  transactions: [
    {
      id: 'a',
      operations: [
        { type: 'vote_operation', value: { voter: 'alice' } },
        { type: 'transfer_operation', value: { to: 'bob' } },
      ],
    },
    { id: 'b', operations: [{ type: 'transfer_operation', value: { to: 'carol' } }] },
  ],
};

describe('withoutUnwanted', () => {
  const isWanted = ({ type }: HiveOperation) => type === 'transfer_operation';

  it('empties unwanted operations and keeps their positions', () => {
    const rest = withoutUnwanted(block, isWanted);
    expect(JSON.stringify(rest)).not.toMatch(/vote|alice/);
    const virtual = { trx_id: 'a', block: 7, timestamp: block.timestamp, op: { type: 'x_operation', value: {} } };
    const followed = (of: HiveBlock) => followedBlock(of, undefined, [virtual], isWanted);
    expect(followed(rest)).toEqual(followed(block));
    expect(followed(rest).operations).toMatchObject([
      { index: 1, transactionId: 'a', value: { to: 'bob' } },
      { index: 3, isVirtual: true },
      { index: 2, transactionId: 'b', value: { to: 'carol' } },
    ]);
  });
});

// hived applies one transaction after the other: a vote before the deletion of the post does not count after it.
it('has the virtual operations of a transaction after it, and of the block last', () => {
  const virtual = ['b', 'a', zeroId, 'a'].map((trx_id, n) => ({
    ...{ trx_id, block: 7, timestamp: block.timestamp, op: { type: `virtual_${n}_operation`, value: {} } },
  }));
  const { operations } = followedBlock(block, undefined, virtual, () => true);
  expect(operations.map(({ type, transactionId }) => [transactionId, type])).toEqual([
    ['a', 'vote_operation'],
    ['a', 'transfer_operation'],
    ['a', 'virtual_1_operation'],
    ['a', 'virtual_3_operation'],
    ['b', 'transfer_operation'],
    ['b', 'virtual_0_operation'],
    [undefined, 'virtual_2_operation'],
  ]);
});
