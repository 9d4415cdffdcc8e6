import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startOnFreePort } from '../processes/local-server';
import { getRedis } from './binary';
import { RedisCluster } from './cluster';
import { RedisServer } from './server';
import { newPassword } from './start-redis';

export interface RedisClusterOptions {
  /** Further settings of redis.conf, for every node. */
  settings?: Record<string, string>;
}

const mastersCount = 3;

/** Node timeout: short enough for tests, long enough for a busy machine. */
const nodeTimeoutMs = 3_000;

/**
 * Starts a Redis Cluster of three masters without replicas on free ports of 127.0.0.1, with one password, and resolves
 * when it serves every slot. It ends when `stop` is called, or when this process ends in any way.
 *
 * @throws Error one line on how to get Redis
 */
export async function startRedisCluster({ settings }: RedisClusterOptions = {}): Promise<RedisCluster> {
  const program = await getRedis();
  const password = newPassword();
  const startNode = async (): Promise<RedisServer> => {
    const folder = mkdtempSync(path.join(tmpdir(), 'waggle-redis-'));
    const cluster = { folder, settings: { 'cluster-node-timeout': String(nodeTimeoutMs), ...settings } };
    try {
      return await startOnFreePort((port) => new RedisServer({ program, password, cluster }, port));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  };
  const starts = await Promise.allSettled(Array.from({ length: mastersCount }, startNode));
  const nodes = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const cluster = new RedisCluster(nodes);
  try {
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
    await cluster.assemble();
    await cluster.whenWhole();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
