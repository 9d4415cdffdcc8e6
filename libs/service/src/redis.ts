import { Redis } from 'ioredis';
import { type Logger } from './logging';
import { RepeatedLine } from './repeated-line';

/**
 * A connection to Redis that fails fast: a command is refused while there is no connection, and given up after the
 * time limit, because whoever waits for it has a client waiting in turn. Reconnects by itself.
 *
 * @throws what the client says when Redis does not answer at the start.
 */
export async function connectRedis(url: string, logger: Logger, commandTimeoutMs = 2_000): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    // The commands of one turn of the event loop are one write.
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  const lost = new RepeatedLine((leftOut, err) => {
    logger.error({ err, leftOut }, 'redis does not answer');
  });
  redis.on('error', (error) => {
    lost.say(error);
  });
  await redis.connect();
  return redis;
}
