import { notPositive, quickRun, subjectsOf } from './quick-run';

// It starts PostgreSQL, the API and the indexer, a chain and a baseline.
/** The subjects of each figure, including the baselines. */
const apiSubjects = ['bare Fastify', 'delegation'];
const expected = {
  account: apiSubjects,
  in: apiSubjects,
  out: apiSubjects,
  'history-in': apiSubjects,
  'history-out': apiSubjects,
  memory: ['after', 'before'],
};

it('measures the figures of the service and of its baselines', async () => {
  // `bench-gateway.test.ts` measures those that the two benchmarks share: `catch-up` and `slow-nodes`.
  const measures = await quickRun('delegation', 'endpoints', 'memory');
  expect(subjectsOf(measures)).toEqual(expected);
  expect(notPositive(measures)).toEqual([]);
});
