import { createLogger } from '@waggle/service';
import { TcpProxy, until } from '@waggle/testing';
import { createClient } from 'redis';
import { RedisCache } from './redis-cache';

const prefix = 'test:redis-cache:';
const proxies: TcpProxy[] = [];
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.stop();
});

/** Starts a proxy of the Redis for tests. */
async function startProxy(): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(process.env['TEST_REDIS_URL'] ?? '');
  const proxy = await TcpProxy.toUrl(url.href);
  proxies.push(proxy);
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

function open(urls: readonly string[]): { cache: RedisCache; lines: string[] } {
  const lines: string[] = [];
  const logger = createLogger('rpc-gateway', 'warn', { write: (line) => lines.push(line) });
  return { cache: new RedisCache(urls, prefix, logger), lines };
}

it('keeps no response in Redis for more than a minute, however long it is fresh', async () => {
  const url = process.env['TEST_REDIS_URL'] ?? '';
  const { cache } = open([url]);
  const redis = createClient({ url });
  await redis.connect();
  try {
    const nowMs = Date.now();
    const dayMs = 86_400_000;
    const times = { storedAtMs: nowMs, freshUntilMs: nowMs + dayMs, staleUntilMs: nowMs + dayMs };
    const response = { member: '"result":1', headBlock: undefined, ...times };
    // Until it is connected, nothing is stored.
    await until(async () => {
      cache.store('long', response, nowMs);
      return (await cache.find('long')) !== undefined;
    });
    expect(await cache.find('long')).toEqual(response);
    const lifetimes = await Promise.all((await redis.keys(`${prefix}*`)).map((key) => redis.pTTL(key)));
    expect(lifetimes.length).toBeGreaterThan(0);
    expect(Math.max(...lifetimes)).toBeLessThanOrEqual(60_000);
  } finally {
    redis.destroy();
    cache.close();
  }
});

describe('close', () => {
  it('ends the attempts to connect for the first time', async () => {
    const [closed, other] = [await startProxy(), await startProxy()];
    const opened: RedisCache[] = [];
    for (const { proxy, url } of [closed, other]) {
      proxy.refuse();
      // Several URLs are of a cluster, whose client gives up if no node accepts the connection.
      const { cache, lines } = open([url, url]);
      await until(() => lines.some((line) => line.includes('All the root nodes are unavailable')));
      opened.push(cache);
    }
    opened[0]?.close();
    for (const { proxy } of [closed, other]) proxy.restore();
    // The other one failed later, so it also connects later.
    await until(() => other.proxy.open > 0);
    // The attempt that was under way when it was closed may have connected.
    await until(() => closed.proxy.open === 0);
    opened[1]?.close();
  });

  it('closes a connection that is just opening', async () => {
    const { proxy, url } = await startProxy();
    open([url]).cache.close();
    const { cache } = open([url]);
    const response = {
      member: '"result":1',
      storedAtMs: 0,
      headBlock: undefined,
      freshUntilMs: 10_000,
      staleUntilMs: 10_000,
    };
    // Until it is connected, nothing is stored.
    await until(async () => {
      cache.store('key', response, 0);
      return (await cache.find('key')) !== undefined;
    });
    await until(() => proxy.open === 1);
    cache.close();
    await until(() => proxy.open === 0);
  });
});
