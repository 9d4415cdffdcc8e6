import { Redis } from 'ioredis';
import { type Dependency } from '../observability/awaited-dependency';

/** Timeout in milliseconds to connect and to respond, as for commands of a service. */
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
  // The error of a closed connection does not contain the reason; the event does.
  let reason: unknown;
  redis.on('error', (error: unknown) => (reason = error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    if (!isErrorReply(reason ?? error)) throw reason ?? error;
  } finally {
    // On a connection that ended already, the client would wait 2 s.
    if (redis.status !== 'end') redis.disconnect();
  }
}

/**
 * Whether Redis responds with an error: connecting reports it later. A Redis that still loads its data cannot be used
 * yet.
 */
function isErrorReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && !error.message.startsWith('LOADING');
}
