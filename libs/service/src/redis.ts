import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import { type Logger } from './logging';
import { RepeatedLine } from './repeated-line';

/** One Redis, or a Redis Cluster. A command, script or pipeline may only name keys that share a hash tag. */
export type RedisClient = Redis | Cluster;

/** A command in a cluster is sent again so often at most: to where its slot has moved, or in case a master is back. */
const redirectionsMost = 5;

/**
 * Connects to Redis so that it fails fast: a command is refused while there is no connection, and given up after the
 * time limit, because whoever waits for it has a client waiting in turn. Reconnects by itself.
 *
 * @param urls one Redis, or several start nodes of a Redis Cluster. A cluster is connected to while any node answers.
 * @throws what the client says when Redis does not answer at the start.
 */
export async function connectRedis(
  urls: readonly string[],
  logger: Logger,
  commandTimeoutMs = 2_000,
): Promise<RedisClient> {
  const redis = clientFor(urls, commandTimeoutMs);
  const lost = new RepeatedLine((leftOut, err) => {
    logger.error({ err, leftOut }, 'redis does not answer');
  });
  // A cluster has a word of its own for the connection to one node.
  for (const event of ['error', 'node error']) {
    redis.on(event, (error) => {
      lost.say(error);
    });
  }
  try {
    await redis.connect();
    // Else it connects to each master when that is first asked something, and refuses meanwhile what else comes for it.
    if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map((node) => node.ping()));
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return redis;
}

/**
 * Resolves when Redis takes commands. Of a cluster it is enough that one master says that the cluster does: while others
 * are away it still does for its own keys, unless it is set to take none (`cluster-require-full-coverage`).
 *
 * @throws Error where it does not
 */
export async function pingRedis(redis: RedisClient): Promise<void> {
  if (!(redis instanceof Cluster)) {
    await redis.ping();
    return;
  }
  const states = redis.nodes('master').map((node) => node.cluster('INFO'));
  await Promise.any(
    states.map(async (state) => {
      if (!(await state).includes('cluster_state:ok')) throw new Error('the cluster takes no commands');
    }),
  );
}

function clientFor(urls: readonly string[], commandTimeoutMs: number): RedisClient {
  const [first, ...others] = urls;
  if (first === undefined) throw new TypeError('no URL of a Redis is named');
  const options = { maxRetriesPerRequest: 0, commandTimeout: commandTimeoutMs };
  return others.length === 0
    ? new Redis(first, {
        ...options,
        lazyConnect: true,
        enableOfflineQueue: false,
        // The commands of one turn of the event loop are one write.
        enableAutoPipelining: true,
        retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
      })
    : new Cluster([...urls], clusterOptions(first, options));
}

/** For a cluster whose nodes let in whom the URL names, and over TLS where it says `rediss:`. */
export function clusterOptions(url: string, options: RedisOptions): ClusterOptions {
  const { protocol, username, password } = new URL(url);
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    // Else nobody can connect while one master is gone, though the others serve their slots.
    enableReadyCheck: false,
    maxRedirections: redirectionsMost,
    clusterRetryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    // Names are left as they are: certificates are made out to them.
    dnsLookup: (host, callback) => {
      callback(null, host);
    },
    redisOptions: {
      ...options,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  };
}
