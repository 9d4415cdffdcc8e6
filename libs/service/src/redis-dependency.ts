import { Redis } from 'ioredis';
import { type Dependency } from './startup/wait-for-dependencies';

/** How long a Redis may take to connect and to answer, in milliseconds: as long as a command of a service. */
const checkTimeoutMs = 2_000;

/** Redis, or any node of a cluster that is named, for `waitForDependencies`. */
export function redisDependency(urls: readonly string[]): Dependency {
  return {
    name: 'redis',
    check: async () => {
      const checks = urls.map(ping);
      await Promise.any(checks).catch(() => checks[0]);
    },
  };
}

async function ping(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: checkTimeoutMs,
    commandTimeout: checkTimeoutMs,
  });
  // What the client says when a connection closes does not say why.
  let reason: unknown;
  redis.on('error', (error: unknown) => (reason = error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    if (!isErrorReply(reason ?? error)) throw reason ?? error;
  } finally {
    // Of a connection that has ended, the client would wait 2 s for the end.
    if (redis.status !== 'end') redis.disconnect();
  }
}

/** Whether a Redis answers, though not as asked: connecting says what is wrong. One that loads its data cannot be used yet. */
function isErrorReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && !error.message.startsWith('LOADING');
}
