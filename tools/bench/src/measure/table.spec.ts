import { type Measure } from './measure';
import { missedLines, tableOf } from './table';

const direct: Measure = {
  key: 'direct',
  what: 'durable direct messages',
  unit: 'messages/s',
  subject: 'chat',
  readings: { chat: [30, 10, 20], plain: [5, 5, 50], fast: [40] },
  thresholds: [
    { against: 'plain', atLeast: 3 },
    { against: 'fast', atLeast: 0.6 },
  ],
};
const cpuUs = { chat: [{ server: 30 }, { server: 10 }, { server: 20 }], fast: [{ server: 7.5 }] };

it('formats a row for each baseline, with the CPU time if it was measured', () => {
  expect(tableOf([{ ...direct, cpuUs }]).split('\n')).toEqual([
    '| figure                            | measured      | baseline           | ratio | single runs  | target            | CPU per message | CPU of the baseline |',
    '| --------------------------------- | ------------- | ------------------ | ----- | ------------ | ----------------- | --------------- | ------------------- |',
    '| `direct`: durable direct messages | 20 messages/s | plain 5 messages/s | 4.00  | 0.40 to 6.00 | ≥ 3.00            | server 20 µs    |                     |',
    '|                                   |               | fast 40 messages/s | 0.50  |              | ≥ 0.60 **missed** |                 | server 7.5 µs       |',
  ]);
  expect(tableOf([direct])).not.toContain('CPU');
});

it('names missed targets with the reason', () => {
  expect(missedLines([direct])).toEqual(['Missed: durable direct messages: 0.50 of fast, target ≥ 0.60']);
  expect(missedLines([{ ...direct, problem: 'not delivered' }])).toEqual(
    Array.from({ length: 2 }, () => 'Missed: durable direct messages: not delivered'),
  );
  expect(missedLines([{ ...direct, thresholds: [{ against: 'plain', atLeast: 3 }] }])).toEqual([]);
});
