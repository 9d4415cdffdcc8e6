import { dynamicGlobalProperties } from './database-api';

const properties = {
  head_block_number: 10,
  head_block_id: '0000000a'.padEnd(40, '0'),
  time: '2026-01-01T00:00:00',
  last_irreversible_block_num: 9,
};

it('accepts a head that is consistent', () => {
  expect(dynamicGlobalProperties.safeParse(properties).success).toBe(true);
});

it.each([
  ['an irreversible block that is no integer', { last_irreversible_block_num: 8.5 }],
  ['an irreversible block that is text', { last_irreversible_block_num: '9' }],
  ['an irreversible block above the head', { last_irreversible_block_num: 11 }],
  ['a head number that is not that of its id', { head_block_number: 11 }],
])('rejects %s', (_what, change) => {
  expect(dynamicGlobalProperties.safeParse({ ...properties, ...change }).success).toBe(false);
});
