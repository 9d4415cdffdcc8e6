import { notPositive, ofForm, quickRun, subjectsOf } from './quick-run';

// It starts PostgreSQL, Redis, a devnet, two instances of the chat and the baseline: 20 to 40 s on two busy cores.
/** The subjects of each figure, including the baselines. */
const expected = {
  direct: ['chat', 'chat-extended', 'insert-each'],
  'direct-extended': ['chat', 'chat-extended', 'insert-each'],
  'two-instances': ['one instance', 'two instances'],
  'latency-p50': ['chat', 'insert-each'],
  'latency-p99': ['chat', 'insert-each'],
  group: ['chat', 'insert-each'],
  'reactions-p99': ['few', 'many'],
  'reactions-bytes': ['few', 'many'],
  memory: ['chat', 'insert-each'],
  history: ['chat', 'short'],
  search: ['cold', 'search'],
  'unread-counts': ['counts', 'few'],
};

const short = ['group', 'history'];

it('measures every figure of the chat and of its baseline', async () => {
  const measures = await quickRun('chat', short);
  expect(subjectsOf(measures)).toEqual(ofForm(expected, short));
  // The memory of a few sockets is within the noise.
  expect(notPositive(measures).filter((key) => key !== 'memory')).toEqual([]);
  for (const key of ['direct', 'direct-extended', 'group'] as const) {
    if (measures[key] === undefined) continue;
    const { cpuUs = {} } = measures[key];
    expect([key, Object.keys(cpuUs).toSorted()]).toEqual([key, expected[key]]);
    const processes = Object.values(cpuUs).flat();
    expect(processes.filter(({ server = 0, PostgreSQL = NaN }) => !(server > 0 && PostgreSQL >= 0))).toEqual([]);
  }
});
