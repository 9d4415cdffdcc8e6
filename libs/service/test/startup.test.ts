import { createServer } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import {
  findFreePort,
  GuardedProcess,
  type PostgresServer,
  type RedisServer,
  startPostgres,
  startRedis,
  until,
} from '@waggle/testing';
import { z } from 'zod';
import { type Dependency, createLogger, databaseDependency, waitForDependencies } from '../src';
import { redisDependency } from '../src/redis';

const host = '127.0.0.1';

let postgres: PostgresServer;
let redis: RedisServer;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres({ dataDir: 'temporary' }), startRedis()]);
});
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

const database = () => databaseDependency('test', postgres.url());

async function waiting(dependencies: readonly Dependency[]) {
  const port = await findFreePort();
  const lines: string[] = [];
  const logger = createLogger('test', 'info', { write: (line) => lines.push(line) });
  const state = { isOver: false };
  const done = waitForDependencies(dependencies, { logger, host, port }).then(() => (state.isOver = true));
  return { port, lines, state, done, get: (path: string) => fetch(`http://${host}:${port}${path}`) };
}

it('resolves at once without a log line if all dependencies respond', async () => {
  const { done, lines } = await waiting([database(), redisDependency([redis.url])]);
  await done;
  expect(lines).toEqual([]);
});

it('waits until all dependencies respond, live but not ready, with a log line for each', async () => {
  await Promise.all([postgres.kill(), redis.kill()]);
  const { done, state, lines, get, port } = await waiting([database(), redisDependency([redis.url])]);
  await until(() =>
    get('/health/live').then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  const ready = await get('/health/ready');
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { ready: false, draining: false, checks: { database: 'down', redis: 'down' } },
  ]);
  const other = await get('/api/anything?x=1');
  expect([other.status, other.headers.get('Retry-After')]).toEqual([503, '1']);
  expect(await other.json()).toMatchObject({ statusCode: 503, code: 'unavailable' });

  await postgres.start();
  await until(async () => (await (await get('/health/ready')).text()).includes('"database":"up"'));
  expect(state.isOver).toBe(false);
  await redis.start();
  await done;
  const logged = lines.map((line) => z.looseObject({ level: z.string() }).parse(JSON.parse(line)));
  expect(logged.pop()).toMatchObject({ level: 'info', msg: 'all dependencies respond', waitedMs: expect.any(Number) });
  for (const dependency of ['database', 'redis']) {
    const [first] = logged.filter((line) => line['dependency'] === dependency);
    expect(first).toMatchObject({ level: 'warn', reason: expect.stringMatching(/^\w+ ECONNREFUSED$/) });
  }
  // The address is free for the service.
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
});

it('does not wait for a server that responds with an error, which the service then reports', async () => {
  const noDatabase = new URL(postgres.url());
  noDatabase.pathname = '/nowhere';
  const wrongPassword = redis.url.replace(/:[^:@]+@/, ':wrong@');
  const noPassword = redis.url.replace(/:[^:@]+@/, '');
  for (const dependency of [
    databaseDependency('test', noDatabase.href),
    redisDependency([wrongPassword]),
    redisDependency([noPassword]),
  ]) {
    const { done, lines } = await waiting([dependency]);
    await done;
    expect([dependency.name, lines]).toEqual([dependency.name, []]);
  }
});

it('checks all configured nodes of a cluster, one of which is enough', async () => {
  const nowhere = `redis://${host}:${await findFreePort()}`;
  await redisDependency([nowhere, redis.url]).check();
  await expect(redisDependency([nowhere, nowhere]).check()).rejects.toThrow('ECONNREFUSED');
});

it('fails if the address is taken', async () => {
  const taken = createServer().listen(0, host);
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const away = { name: 'away', check: () => Promise.reject(new Error('away')) };
  const logger = createLogger('test', 'silent');
  await expect(waitForDependencies([away], { logger, host, port })).rejects.toThrow('EADDRINUSE');
  taken.close();
});

it.each([
  ['during the first check of a dependency', 'check', 'checking'],
  ['while the application is created', 'create', 'creating'],
])(
  'ends at once on SIGTERM %s, by a handler: process 1 of a container has no default one',
  async (_when, step, line) => {
    const service = await GuardedProcess.start(process.execPath, [path.join(__dirname, 'slow-start.cjs')], {
      env: { ...process.env, HANGS_AT: step },
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 30_000,
    });
    await until(() => service.lastLines.some((each) => each.includes(`"msg":"${line}"`)), {
      actual: () => service.lastLines,
    });
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  },
);
