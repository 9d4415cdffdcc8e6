import { randomUUID } from 'node:crypto';
import { startRedis, type RedisServer, until } from '@waggle/testing';
import { createLogger } from '../src/observability/logging';
import { connectRedis, type RedisClient } from '../src/redis';
import { SingleUseInRedis } from '../src/single-use';

describe('SingleUseInRedis', () => {
  const logger = createLogger('test', 'silent');
  let server: RedisServer;
  let redis: RedisClient;
  let other: RedisClient;

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis([server.url], logger);
    other = await connectRedis([server.url], logger);
  });

  afterAll(async () => {
    redis.disconnect();
    other.disconnect();
    await server.stop();
  });

  it('allows exactly one of many concurrent claims across all instances', async () => {
    const prefix = `${randomUUID()}:`;
    const [here, there] = [new SingleUseInRedis(redis, prefix), new SingleUseInRedis(other, prefix)];
    for (let round = 0; round < 50; round += 1) {
      const claims = await Promise.all([here, there, here, there].map((each) => each.claim(String(round), 60_000)));
      expect(claims.filter(Boolean)).toHaveLength(1);
    }
  });

  it('allows another claim of a released key, by any instance', async () => {
    const prefix = `${randomUUID()}:`;
    const [here, there] = [new SingleUseInRedis(redis, prefix), new SingleUseInRedis(other, prefix)];
    expect(await here.claim('a', 60_000)).toBe(true);
    await here.release('a');
    expect(await there.claim('a', 60_000)).toBe(true);
  });

  it('allows another claim if the reply to the first came too late', async () => {
    const hasty = await connectRedis([server.url], logger, 200);
    const prefix = `${randomUUID()}:`;
    await server.command('CLIENT PAUSE 300 WRITE');
    await expect(new SingleUseInRedis(hasty, prefix).claim('a', 60_000)).rejects.toMatchObject({ code: 'unavailable' });
    await until(() => new SingleUseInRedis(redis, prefix).claim('a', 60_000));
    hasty.disconnect();
  });

  it('rejects claims while Redis is unavailable, and recovers without a restart', async () => {
    const used = new SingleUseInRedis(redis, `${randomUUID()}:`);
    await server.kill();
    await expect(used.claim('a', 60_000)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(used.release('a')).rejects.toMatchObject({ name: 'ServiceError', code: 'unavailable' });
    await server.restart();
    await until(() => used.claim('a', 60_000).catch(() => false));
  });
});
