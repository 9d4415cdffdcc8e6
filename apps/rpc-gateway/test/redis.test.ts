import { randomUUID } from 'node:crypto';
import { documentedRedisUser, exampleIn, startRedis, startRedisCluster, until } from '@waggle/testing';
import { GatewayUnderTest, type HttpAnswer, routesHead } from './gateway-under-test';
import { ScriptedNode } from './scripted-node';

const routes = `${routesHead}
  bridge:
  database_api.get_config: { cache: 1h }
`;

let node: ScriptedNode;
let answers = 0;
const running: GatewayUnderTest[] = [];

beforeEach(async () => {
  node = await ScriptedNode.start();
  node.script = () => (answers += 1);
});
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.stop();
  await node.stop();
});

async function start(url: string, prefix = `test:${randomUUID()}:`): Promise<GatewayUnderTest> {
  const gateway = await GatewayUnderTest.start([node.url], { routes, redis: { urls: url.split(','), prefix } });
  running.push(gateway);
  return gateway;
}

function sharedUrl(): string {
  const url = process.env['TEST_REDIS_URL'];
  if (url === undefined) throw new Error('the test set-up names no Redis');
  return url;
}

const cacheOf = ({ headers }: HttpAnswer) => headers['x-gateway-cache'];

/** Asks for something new at one instance until another has it too: an instance may still be connecting. */
async function isShared(one: GatewayUnderTest, other: GatewayUnderTest): Promise<boolean> {
  const params = [randomUUID()];
  const asked = await one.call('database_api.get_config', params);
  const deadline = performance.now() + 500;
  while (performance.now() < deadline) {
    const answer = await other.call('database_api.get_config', params);
    // What the other asked itself is another number.
    if (cacheOf(answer) === 'hit' && answer.text === asked.text) return true;
    if (answer.text !== asked.text) return false;
  }
  return false;
}

it('instances share what they keep', async () => {
  const prefix = `test:${randomUUID()}:`;
  const [one, other] = [await start(sharedUrl(), prefix), await start(sharedUrl(), prefix)];
  await until(() => isShared(one, other));
});

it('what depends on the head is shared for as long as both see the same head', async () => {
  const prefix = `test:${randomUUID()}:`;
  const [one, other] = [await start(sharedUrl(), prefix), await start(sharedUrl(), prefix)];
  await until(() => isShared(one, other));
  await until(async () => {
    const params = [randomUUID()];
    const asked = await one.call('bridge.get_post', params);
    const answer = await other.call('bridge.get_post', params);
    return cacheOf(answer) === 'hit' && answer.text === asked.text;
  });
  const params = [randomUUID()];
  const asked = await one.call('bridge.get_post', params);
  node.head += 1;
  const looks = node.headCalls;
  await until(() => node.headCalls >= looks + 4);
  const answer = await other.call('bridge.get_post', params);
  expect([cacheOf(answer), answer.text === asked.text]).toEqual(['miss', false]);
});

it('deployments with other prefixes share nothing', async () => {
  const [one, other] = [await start(sharedUrl()), await start(sharedUrl())];
  const params = [randomUUID()];
  const answersOfBoth = [
    await one.call('database_api.get_config', params),
    await other.call('database_api.get_config', params),
  ];
  expect(answersOfBoth.map(cacheOf)).toEqual(['miss', 'miss']);
});

it('goes on without Redis, and with it again', async () => {
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
      const startedMs = performance.now();
      for (let index = 0; index < 20; index += 1) {
        const params = [randomUUID()];
        const first = await one.call('database_api.get_config', params);
        const second = await one.call('database_api.get_config', params);
        expect([cacheOf(first), cacheOf(second), first.text === second.text]).toEqual(['miss', 'hit', true]);
      }
      // It waits for Redis now and then, not each time.
      expect(performance.now() - startedMs).toBeLessThan(2_000);
      expect((await one.get('/health/ready')).status).toBe(200);
      await back();
      await until(() => isShared(one, other));
    }
  } finally {
    for (const gateway of running.splice(0)) await gateway.stop();
    await redis.stop();
  }
});

it('starts before Redis does', async () => {
  const redis = await startRedis();
  try {
    await redis.kill();
    const gateway = await start(redis.url);
    expect(cacheOf(await gateway.call('bridge.get_post'))).toBe('miss');
  } finally {
    for (const gateway of running.splice(0)) await gateway.stop();
    await redis.stop();
  }
});

it('shares over a cluster too, where it may do what operators are told to let it do', async () => {
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
