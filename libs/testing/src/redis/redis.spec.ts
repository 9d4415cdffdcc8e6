import { once } from 'node:events';
import { connect } from 'node:net';
import { findProcess } from '../processes/inspect';
import { askRedis } from './inline-commands';
import { type RedisServer } from './server';
import { startRedis } from './start-redis';

// The first run on a machine without Redis fetches it.
const fetchTimeoutMs = 240_000;

describe('a Redis server', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis();
  }, fetchTimeoutMs);
  afterAll(() => server.stop());

  it('responds, in a version with sharded pub/sub', async () => {
    expect(await server.command('SPUBLISH channel hello')).toBe(':0\r\n');
  });

  it('rejects clients without the password', async () => {
    expect(await askRedis(server.port, 'guess', 'PING')).toMatch(/^-WRONGPASS.*\r\n-NOAUTH/);
  });

  it('starts again on the same port after SIGKILL, empty', async () => {
    await server.command('SET key value');
    const { url, pid } = server;
    await server.kill();
    await expect(server.command('PING')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(server.url).toBe(url);
    expect(server.pid).not.toBe(pid);
    expect(await server.command('EXISTS key')).toBe(':0\r\n');
  });

  it('does not respond while paused, and continues afterwards', async () => {
    server.pause();
    let isAnswered = false;
    const reply = server.command('PING').then((text) => {
      isAnswered = true;
      return text;
    });
    const second = connect(server.port, '127.0.0.1');
    // The operating system accepts the connection, so this bounds the wait without a sleep.
    await once(second, 'connect');
    expect(isAnswered).toBe(false);
    second.destroy();
    server.resume();
    expect(await reply).toBe('+PONG\r\n');
  });
});

it('leaves no process', async () => {
  const server = await startRedis();
  const pid = server.pid ?? 0;
  expect(findProcess(pid)?.command).toContain('redis-server');
  await server.stop();
  expect(findProcess(pid)).toBeUndefined();
});
