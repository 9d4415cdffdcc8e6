import { type HiveBlock, type HiveOperation } from '../api/block-api';
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
      { index: 2, transactionId: 'b', value: { to: 'carol' } },
      { index: 3, isVirtual: true },
    ]);
  });
});
