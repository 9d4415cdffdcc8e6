import { type BenchRecord } from '../measure/record';
import { resultsText, withResults } from './results';

const run: BenchRecord = {
  startedAt: '2026-01-02T03:04:05.000Z',
  isQuick: false,
  missing: [],
  machine: { cpus: 2, model: 'Xeon', memoryGiB: 8, node: '20.20.2' },
  measures: {
    direct: {
      what: 'direct messages',
      unit: 'messages/s',
      subject: 'chat',
      readings: { chat: [30, 10, 20], plain: [5, 5, 50], fast: [40] },
      cpuUs: { chat: [{ server: 20 }], plain: [{ server: 30 }] },
      thresholds: [
        { against: 'plain', atLeast: 3 },
        { against: 'fast', atLeast: 0.6 },
      ],
    },
  },
};

it('formats the results as a table', () => {
  expect(resultsText([run]).split('\n')).toEqual([
    'Measured on 2026-01-02 with 2 cores (Xeon), 8 GiB and Node 20.20.2.',
    '',
    '| figure                    | measured      | baseline           | ratio | single runs  | target            | CPU per message | CPU of the baseline |',
    '| ------------------------- | ------------- | ------------------ | ----- | ------------ | ----------------- | --------------- | ------------------- |',
    '| `direct`: direct messages | 20 messages/s | plain 5 messages/s | 4.00  | 0.40 to 6.00 | ≥ 3.00            | server 20 µs    | server 30 µs        |',
    '|                           |               | fast 40 messages/s | 0.50  |              | ≥ 0.60 **missed** |                 |                     |',
  ]);
});

it('takes each figure from the last run that has it', () => {
  const { direct } = run.measures;
  if (direct === undefined) throw new Error('the figure is missing');
  const later = { ...run, measures: { direct: { ...direct, readings: { chat: [15], plain: [5], fast: [5] } } } };
  expect(resultsText([run, later])).toContain('15 messages/s');
  expect(resultsText([run, later])).not.toContain('20 messages/s');
  expect(resultsText([run, later])).toContain('and Node 20.20.2: `direct`.');
});

it('rejects runs that together lack a figure', () => {
  const partial = { ...run, missing: ['latency', 'memory'] };
  expect(() => resultsText([partial, { ...run, missing: ['memory'] }])).toThrow('No run measured memory:');
  expect(() => resultsText([partial, { ...run, missing: ['direct'] }])).not.toThrow();
});

it('rejects quick runs', () => {
  expect(() => resultsText([{ ...run, isQuick: true }])).toThrow('not a measurement');
});

it('replaces the results of a page', () => {
  const page = 'before\n<!-- results -->\n\nold\n\n<!-- end of results -->\nafter\n';
  expect(withResults(page, 'new')).toBe(page.replace('old', 'new'));
  expect(() => withResults('before', 'new')).toThrow('no markers');
});
