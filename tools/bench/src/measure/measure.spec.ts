import { compare, type Measure } from './measure';

const measured = (changes: Partial<Measure>): Measure => ({
  key: 'direct',
  what: 'durable direct messages',
  unit: 'messages/s',
  subject: 'chat',
  readings: { chat: [30, 10, 20], plain: [5, 5, 50] },
  thresholds: [{ against: 'plain', atLeast: 4 }],
  ...changes,
});

it('compares medians', () => {
  expect(compare(measured({}))).toMatchObject([{ value: 20, baseline: 5, ratio: 4, isMet: true }]);
});

it.each([
  ['the ratio is too low', { thresholds: [{ against: 'plain', atLeast: 4.01 }] }],
  ['the ratio is too high', { thresholds: [{ against: 'plain', atMost: 3.99 }] }],
  ['there is a problem', { problem: 'not delivered' }],
  ['the baseline is zero', { readings: { chat: [1], plain: [0] } }],
  ['there are no readings', { readings: { chat: [], plain: [1] } }],
  ['there is no baseline', { readings: { chat: [1] } }],
])('misses the target if %s', (_what, changes) => {
  expect(compare(measured(changes)).map(({ isMet }) => isMet)).toEqual([false]);
});
