import { once } from 'node:events';
import { connect } from 'node:net';
import { findProcess } from '../processes/inspect';
import { type RedisServer } from './server';
import { startRedis } from './start-redis';

// The first run on a machine without Redis fetches it.
const fetchTimeoutMs = 240_000;

async function command(url: string, ...lines: string[]): Promise<string> {
  const { port, password } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.end([`AUTH ${password}`, ...lines, ''].join('\r\n'));
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer.trim().split('\r\n').at(-1) ?? '';
}

describe('a Redis server', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis();
  }, fetchTimeoutMs);
  afterAll(() => server.stop());

  it('answers, in a version that has sharded publish and subscribe', async () => {
    expect(await command(server.url, 'SPUBLISH channel hello')).toBe(':0');
  });

  it('refuses who does not know the password', async () => {
    const url = new URL(server.url);
    url.password = 'guess';
    expect(await command(url.toString(), 'PING')).toContain('NOAUTH');
  });

  it('starts again on the same port after SIGKILL, empty', async () => {
    await command(server.url, 'SET key value');
    const { url, pid } = server;
    await server.kill();
    await expect(command(url, 'PING')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(server.url).toBe(url);
    expect(server.pid).not.toBe(pid);
    expect(await command(url, 'EXISTS key')).toBe(':0');
  });

  it('answers nothing while paused, and goes on afterwards', async () => {
    server.pause();
    let isAnswered = false;
    const answer = command(server.url, 'PING').then((text) => {
      isAnswered = true;
      return text;
    });
    const { port } = new URL(server.url);
    const second = connect(Number(port), '127.0.0.1');
    await once(second, 'connect'); // The system accepts for it: the time to wait is bounded by something that happens.
    expect(isAnswered).toBe(false);
    second.destroy();
    server.resume();
    expect(await answer).toBe('+PONG');
  });
});

it('leaves no process behind', async () => {
  const server = await startRedis();
  const pid = server.pid ?? 0;
  expect(findProcess(pid)?.command).toContain('redis-server');
  await server.stop();
  expect(findProcess(pid)).toBeUndefined();
});
