import { notPositive, ofForm, quickRun, subjectsOf } from './quick-run';

// It starts PostgreSQL, nodes, gateways, indexers, a chain and the baselines.
const sorts = ['blog', 'feed', 'posts', 'comments', 'replies', 'payout'];
const postCalls = [
  ...['trending', 'hot', 'created', 'payout', 'trending-observed', 'created-tag', 'trending-community', 'trending-my'],
  ...[...sorts.map((sort) => `account-${sort}`), 'discussion', 'post', 'content'],
];
/** The subjects of each figure, including the baselines. */
const expected = {
  cached: ['bare Fastify', 'gateway'],
  proxied: ['bare Fastify', 'gateway'],
  notifications: ['bare Fastify', 'gateway'],
  ...Object.fromEntries(postCalls.map((key) => [`posts-${key}`, ['bare Fastify', 'gateway']])),
  'catch-up': ['fetch and parse', 'indexer'],
  'catch-up-memory': ['last third', 'second third'],
  'slow-nodes-1': ['1 node', 'a fast node'],
  'event-memory': ['bare Node', 'gateway'],
  'event-delay-p50': ['gateway', 'poll interval'],
  'event-delay-p99': ['gateway', 'poll interval'],
};

const short = ['cached', 'notifications'];

it('measures every figure of the gateway and of its baselines', async () => {
  const measures = await quickRun('gateway', short);
  const { proxied, ...subjects } = subjectsOf(measures);
  // nginx is measured only if it is installed.
  const withoutNginx = proxied === undefined ? {} : { proxied: proxied.filter((subject) => subject !== 'nginx') };
  expect({ ...subjects, ...withoutNginx }).toEqual(ofForm(expected, short));
  // The memory of a few streams is within the noise, and a third of a short chain may pass between two samples.
  const noisy = ['event-memory', 'catch-up-memory'];
  expect(notPositive(measures).filter((key) => !noisy.includes(key))).toEqual([]);
});
