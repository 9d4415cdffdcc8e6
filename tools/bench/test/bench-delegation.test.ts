import { notPositive, ofForm, quickRun, subjectsOf } from './quick-run';

// It starts PostgreSQL, the API and the indexer, a chain and a baseline.
/** The subjects of each figure, including the baselines. */
const apiSubjects = ['bare Fastify', 'delegation'];
const endpoints = ['account', 'in', 'out', 'history-in', 'history-out'];
const expected = { ...Object.fromEntries(endpoints.map((key) => [key, apiSubjects])), memory: ['after', 'before'] };

it('measures the figures of the service and of its baselines', async () => {
  // `bench-gateway.test.ts` measures those that the two benchmarks share: `catch-up` and `slow-nodes`.
  const measures = await quickRun('delegation', ['endpoints'], ['endpoints', 'memory']);
  expect(subjectsOf(measures)).toEqual(ofForm(expected, endpoints));
  expect(notPositive(measures)).toEqual([]);
});
