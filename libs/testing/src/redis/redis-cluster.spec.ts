import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProcess } from '../processes/inspect';
import { type RedisCluster } from './cluster';
import { startRedisCluster } from './start-redis-cluster';

// The first run on a machine without Redis fetches it.
const fetchTimeoutMs = 240_000;

describe('a Redis Cluster', () => {
  let cluster: RedisCluster;

  beforeAll(async () => {
    cluster = await startRedisCluster();
  }, fetchTimeoutMs);
  // It leaves no process and no folder.
  afterAll(async () => {
    const pids = cluster.nodes.map(({ pid }) => pid ?? 0);
    const folders = await Promise.all(
      cluster.nodes.map(async (node) => /\$\d+\r\n(\/.*)\r\n$/.exec(await node.command('CONFIG GET dir'))?.[1] ?? ''),
    );
    expect(folders.map(existsSync)).toEqual([true, true, true]);
    await cluster.stop();
    expect(pids.map(findProcess)).toEqual([undefined, undefined, undefined]);
    expect(folders.map(existsSync)).toEqual([false, false, false]);
  });

  it('has three masters behind one password, each with its share of the slots', async () => {
    expect(new Set(cluster.url.split(',').map((url) => new URL(url).port)).size).toBe(3);
    expect(new Set(cluster.url.split(',').map((url) => new URL(url).password)).size).toBe(1);
    // Of the slots 3300, 7365 and 15495.
    for (const [i, key] of ['b', 'c', 'a'].entries()) {
      const replies = await Promise.all(cluster.nodes.map((node) => node.command(`SET ${key} value`)));
      const owner = cluster.nodes[i]?.port ?? 0;
      expect(replies.map((reply) => reply.replace(/^-MOVED \d+ /, ''))).toEqual(
        cluster.nodes.map(({ port }) => (port === owner ? '+OK\r\n' : `127.0.0.1:${owner}\r\n`)),
      );
    }
  });

  it('serves all slots again after a killed node is back', async () => {
    const [node] = cluster.nodes;
    await node?.kill();
    await node?.start();
    await cluster.whenWhole();
    expect(await node?.command('SET b value')).toBe('+OK\r\n');
  });
});

it(
  'leaves no folder if it cannot start',
  async () => {
    const { TMPDIR } = process.env;
    const folder = mkdtempSync(path.join(tmpdir(), 'waggle-test-'));
    process.env['TMPDIR'] = folder;
    try {
      await expect(startRedisCluster({ settings: { nosuch: 'setting' } })).rejects.toThrow('nosuch');
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
      rmSync(folder, { recursive: true });
    }
  },
  fetchTimeoutMs,
);
