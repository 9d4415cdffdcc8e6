import { randomBytes } from 'node:crypto';
import { startOnFreePort } from '../processes/local-server';
import { getRedis } from './binary';
import { RedisServer } from './server';

/** Names a Redis that tests may use. */
export const redisUrlVariable = 'TEST_REDIS_URL';

/**
 * Starts an empty Redis on a free port of 127.0.0.1 and resolves when it responds. It ends when `stop` is called, or
 * when this process ends in any way. The first call may download it, in a few seconds.
 *
 * @throws Error one line on how to get Redis
 */
export async function startRedis(): Promise<RedisServer> {
  const program = await getRedis();
  return await startOnFreePort((port) => new RedisServer({ program, password: newPassword() }, port));
}

export function newPassword(): string {
  return randomBytes(16).toString('hex');
}
