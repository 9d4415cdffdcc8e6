import { randomBytes } from 'node:crypto';
import { findFreePort } from '../processes/free-port';
import { getRedis } from './binary';
import { RedisServer, RedisStartError } from './server';

/** Names a Redis that tests may use. */
export const redisUrlVariable = 'TEST_REDIS_URL';

/** How often another port is tried when the one that was free a moment ago is taken. */
const portAttempts = 5;

/**
 * Starts an empty Redis on a free port of 127.0.0.1 and resolves when it answers. It ends when `stop` is called and when
 * this process ends, however it ends. The first call on a machine without Redis fetches it, which takes some seconds.
 *
 * @throws Error one line that says how to get Redis, where it cannot be had.
 */
export async function startRedis(): Promise<RedisServer> {
  const program = await getRedis();
  for (let attempt = 1; ; attempt += 1) {
    const server = new RedisServer(program, await findFreePort(), randomBytes(16).toString('hex'));
    try {
      await server.start();
      return server;
    } catch (error) {
      if (!(error instanceof RedisStartError && error.portWasTaken) || attempt === portAttempts) throw error;
    }
  }
}
