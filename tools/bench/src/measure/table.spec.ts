import { type Measure } from './measure';
import { missedLines, tableOf } from './table';

const direct: Measure = {
  key: 'direct',
  what: 'durable direct messages',
  unit: 'messages/s',
  subject: 'chat',
  readings: { chat: [30, 10, 20], plain: [5], fast: [40] },
  thresholds: [
    { against: 'plain', atLeast: 3 },
    { against: 'fast', atLeast: 0.6 },
  ],
};
const cpuUs = { chat: [{ server: 30 }, { server: 10 }, { server: 20 }], fast: [{ server: 7.5 }] };

it('has the CPU time of the subject and of each baseline if it was measured', () => {
  const [heading, plain, fast] = tableOf([{ ...direct, cpuUs }]).split('\n');
  expect(heading).toMatch(/target +CPU +CPU of the baseline$/);
  expect(plain).toMatch(/^durable direct messages +messages\/s +20 +plain +5 +4.00 +≥ 3.00 +pass +server 20 µs$/);
  expect(fast).toMatch(/^ +fast +40 +0.50 +≥ 0.60 +FAIL +server 7.5 µs$/);
  expect(tableOf([direct])).not.toContain('CPU');
});

it('names missed targets with the reason', () => {
  expect(missedLines([direct])).toEqual(['Missed: durable direct messages: 0.50 of fast, target ≥ 0.60']);
  expect(missedLines([{ ...direct, problem: 'not delivered' }])).toEqual(
    Array.from({ length: 2 }, () => 'Missed: durable direct messages: not delivered'),
  );
  expect(missedLines([{ ...direct, thresholds: [{ against: 'plain', atLeast: 3 }] }])).toEqual([]);
});
