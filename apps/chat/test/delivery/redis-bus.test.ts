import { createLogger } from '@waggle/service';
import { connectRedis, type RedisClient } from '@waggle/service/redis';
import { startRedis, until, type RedisServer } from '@waggle/testing';
import { RedisBus } from '../../src/delivery/bus/redis-bus';
import { RedisMasters } from '../../src/delivery/bus/redis-masters';

const logger = createLogger('test', 'silent');
const topics = Array.from({ length: 2_000 }, (_none, n) => `topic-${n}`);

let server: RedisServer;
let redis: RedisClient;
let bus: RedisBus;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis([server.url], logger);
  bus = new RedisBus(new RedisMasters(redis, [server.url]), 'test:', logger);
});

afterAll(async () => {
  await bus.close();
  redis.disconnect();
  await server.stop();
});

const subscribed = async (): Promise<unknown> => redis.call('PUBSUB', 'SHARDCHANNELS', 'test:*');

function untilSubscribed(wanted: readonly string[]): Promise<void> {
  const channels = wanted.map((topic) => `test:${topic}`).toSorted();
  return until(async () => {
    const found = await subscribed();
    return Array.isArray(found) && found.map(String).toSorted().join() === channels.join();
  });
}

/** Returns how often Redis executed a command. */
async function callsOf(command: string): Promise<number> {
  const statistics = String(await redis.call('INFO', 'commandstats'));
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(statistics)?.[1]);
}

it('subscribes to many topics and leaves them with a few commands', async () => {
  bus.subscribe(topics);
  await untilSubscribed(topics);
  expect(await callsOf('ssubscribe')).toBeLessThan(20);
  bus.unsubscribe(topics);
  await untilSubscribed([]);
  expect(await callsOf('sunsubscribe')).toBeLessThan(20);
});

it('stays subscribed to a topic that is left and subscribed to again before that is sent', async () => {
  bus.subscribe(topics);
  await untilSubscribed(topics);
  bus.unsubscribe(topics);
  bus.subscribe(['topic-7']);
  await untilSubscribed(['topic-7']);
  bus.subscribe(['topic-8']);
  bus.unsubscribe(['topic-7', 'topic-8']);
  await untilSubscribed([]);
});
