import { z } from 'zod';
import { type FollowedBlock } from './followed-block';
import { onOperation, OperationHandlers } from './operation-handlers';

const time = new Date(0);

function blockOf(number: number, operations: readonly (readonly [type: string, value: Record<string, unknown>])[]) {
  const block: FollowedBlock = {
    number,
    id: `id-${number}`,
    previous: `id-${number - 1}`,
    timestamp: time,
    previousTimestamp: time,
    operations: operations.map(([type, value], index) => ({
      index,
      transactionId: 'transaction',
      isVirtual: false,
      type,
      value,
    })),
  };
  return block;
}

const add = onOperation('add_operation', z.object({ amount: z.number() }), (sums: string[], { amount }, { block }) => {
  sums.push(`${block.number} +${amount}`);
});
const wait = onOperation('wait_operation', z.object({}), async (sums: string[]) => {
  await new Promise(setImmediate);
  sums.push('waited');
});

it('handles operations of known types one after the other', async () => {
  const handlers = new OperationHandlers([add, wait]);
  expect(handlers.types).toEqual(['add_operation', 'wait_operation']);
  const sums: string[] = [];
  await handlers.handle(sums, [
    blockOf(1, [
      ['add_operation', { amount: 1 }],
      ['other_operation', {}],
      ['wait_operation', {}],
    ]),
    blockOf(2, [['add_operation', { amount: 2 }]]),
  ]);
  expect(sums).toEqual(['1 +1', 'waited', '2 +2']);
});

it.each([
  ['a value that cannot be decoded', 'add_operation', 'OperationFormatError', 'ZodError'],
  ['a handler that fails', 'fail_operation', 'OperationError', 'TypeError'],
  ['a handler that cannot decode something else', 'parse_operation', 'OperationError', 'ZodError'],
])('reports the position of %s without its content', async (_what, type, name, cause) => {
  const fail = onOperation('fail_operation', z.object({}), () => {
    throw new TypeError('no');
  });
  const parse = onOperation('parse_operation', z.object({}), () => {
    z.number().parse('no');
  });
  const blocks = [
    blockOf(7, [
      ['add_operation', { amount: 1 }],
      [type, { amount: 'secret' }],
    ]),
  ];
  const failure: unknown = await new OperationHandlers([add, fail, parse])
    .handle([], blocks)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    name,
    position: {
      block: { number: 7, id: 'id-7' },
      operation: { index: 1, type, transactionId: 'transaction', isVirtual: false },
    },
    cause: { name: cause },
  });
  expect(JSON.stringify(failure)).not.toContain('secret');
});

it('rejects two handlers for one type', () => {
  expect(() => new OperationHandlers([add, add])).toThrow(RangeError);
});
