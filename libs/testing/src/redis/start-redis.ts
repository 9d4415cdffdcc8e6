import { randomBytes } from 'node:crypto';
import { startOnFreePort } from '../processes/local-server';
import { getRedis } from './binary';
import { RedisServer } from './server';

/** Names a Redis that tests may use. */
export const redisUrlVariable = 'TEST_REDIS_URL';

/**
 * Starts an empty Redis on a free port of 127.0.0.1 and resolves when it answers. It ends when `stop` is called and when
 * this process ends, however it ends. The first call on a machine without Redis fetches it, which takes some seconds.
 *
 * @throws Error one line that says how to get Redis, where it cannot be had.
 */
export async function startRedis(): Promise<RedisServer> {
  const program = await getRedis();
  return await startOnFreePort((port) => new RedisServer({ program, password: newPassword() }, port));
}

export function newPassword(): string {
  return randomBytes(16).toString('hex');
}
