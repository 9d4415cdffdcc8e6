import { randomUUID } from 'node:crypto';
import {
  documentedRedisUser,
  exampleIn,
  startRedis,
  startRedisCluster,
  type TestDatabase,
  until,
} from '@waggle/testing';
import { GatewayUnderTest, type HttpResponse, routesHead } from '../support/gateway-under-test';
import { freshDatabase } from '../support/index-under-test';
import { ScriptedNode } from '../support/scripted-node';

const routes = `${routesHead}
  bridge:
  database_api.get_config: { cache: 1h }
`;

let database: TestDatabase;
let node: ScriptedNode;
let calls = 0;
const running: GatewayUnderTest[] = [];

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  node = await ScriptedNode.start();
  node.script = () => (calls += 1);
});
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.stop();
  await node.stop();
});

async function start(url: string, prefix = `test:${randomUUID()}:`): Promise<GatewayUnderTest> {
  const redis = { urls: url.split(','), prefix };
  const gateway = await GatewayUnderTest.start([node.url], { routes, redis, database, index: 'none' });
  running.push(gateway);
  return gateway;
}

function sharedUrl(): string {
  const url = process.env['TEST_REDIS_URL'];
  if (url === undefined) throw new Error('the test set-up provides no Redis');
  return url;
}

const cacheOf = ({ headers }: HttpResponse) => headers['x-gateway-cache'];

/** Sends new calls to one instance until another has cached one: an instance may still be connecting. */
async function isShared(one: GatewayUnderTest, other: GatewayUnderTest): Promise<boolean> {
  const params = [randomUUID()];
  const first = await one.call('database_api.get_config', params);
  const deadline = performance.now() + 500;
  while (performance.now() < deadline) {
    const second = await other.call('database_api.get_config', params);
    // If the other had called the node itself, the result would differ.
    if (cacheOf(second) === 'hit' && second.text === first.text) return true;
    if (second.text !== first.text) return false;
  }
  return false;
}

it('shares cached responses between instances, also those that depend on the head while both instances see the same head', async () => {
  const prefix = `test:${randomUUID()}:`;
  const [one, other] = [await start(sharedUrl(), prefix), await start(sharedUrl(), prefix)];
  await until(() => isShared(one, other));
  await until(async () => {
    const params = [randomUUID()];
    const first = await one.call('bridge.get_post', params);
    const second = await other.call('bridge.get_post', params);
    return cacheOf(second) === 'hit' && second.text === first.text;
  });
  const params = [randomUUID()];
  const first = await one.call('bridge.get_post', params);
  node.head += 1;
  const polls = node.headCalls;
  await until(() => node.headCalls >= polls + 4);
  const second = await other.call('bridge.get_post', params);
  expect([cacheOf(second), second.text === first.text]).toEqual(['miss', false]);
});

it('does not share responses between deployments with different prefixes', async () => {
  const [one, other] = [await start(sharedUrl()), await start(sharedUrl())];
  const params = [randomUUID()];
  const responses = [
    await one.call('database_api.get_config', params),
    await other.call('database_api.get_config', params),
  ];
  expect(responses.map(cacheOf)).toEqual(['miss', 'miss']);
});

it('starts and serves calls while Redis is down, and uses it afterwards', async () => {
  const redis = await startRedis();
  try {
    const prefix = `test:${randomUUID()}:`;
    const [one, other] = [await start(redis.url, prefix), await start(redis.url, prefix)];
    await until(() => isShared(one, other));
    for (const [away, back] of [
      [() => redis.kill(), () => redis.start()],
      [
        () => {
          redis.pause();
        },
        () => {
          redis.resume();
        },
      ],
    ] as const) {
      await away();
      const missesMs: number[] = [];
      for (let index = 0; index < 20; index += 1) {
        const params = [randomUUID()];
        const startedMs = performance.now();
        const first = await one.call('database_api.get_config', params);
        missesMs.push(performance.now() - startedMs);
        const second = await one.call('database_api.get_config', params);
        expect([cacheOf(first), cacheOf(second), first.text === second.text]).toEqual(['miss', 'hit', true]);
      }
      // It waits 100 ms for Redis occasionally, not for each call; a busy machine delays more of them.
      expect(missesMs.filter((ms) => ms < 100).length).toBeGreaterThan(5);
      expect((await one.get('/health/ready')).status).toBe(200);
      const late = await start(redis.url, prefix);
      expect(cacheOf(await late.call('bridge.get_post'))).toBe('miss');
      await back();
      await until(() => isShared(one, other));
      await until(() => isShared(late, one));
    }
  } finally {
    for (const gateway of running.splice(0)) await gateway.stop();
    await redis.stop();
  }
});

it('shares responses over a Redis Cluster, with the documented permissions', async () => {
  const user = documentedRedisUser(exampleIn('k8s/README.md', 'A user of Redis for each service'), 'rpc-gateway');
  const cluster = await startRedisCluster({ settings: user.settings });
  try {
    const url = user.urlFor(cluster.url);
    const prefix = `test:${randomUUID()}:`;
    const [one, other] = [await start(url, prefix), await start(url, prefix)];
    await until(() => isShared(one, other));
    for (const node of cluster.nodes) expect(await node.command('ACL LOG')).toBe('*0\r\n');
  } finally {
    for (const gateway of running.splice(0)) await gateway.stop();
    await cluster.stop();
  }
});
