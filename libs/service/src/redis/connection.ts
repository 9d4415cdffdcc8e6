import { Cluster, Redis, ReplyError, type ClusterOptions, type RedisOptions } from 'ioredis';
import { type Logger } from '../observability/logging';
import { ThrottledLog } from '../observability/throttled-log';

/** One Redis, or a Redis Cluster. A command, script or pipeline may only name keys that share a hash tag. */
export type RedisClient = Redis | Cluster;

/** Maximum number of retries of a command in a cluster, after its slot moved or while a master is away. */
const maxRedirections = 5;

/**
 * Connects to Redis so that commands fail fast: at once without a connection, otherwise after the timeout, because a
 * client is waiting. Reconnects by itself.
 *
 * @param urls one Redis or one node of a Redis Cluster, which is detected; or several start nodes of a cluster; one of
 * them must respond.
 * @throws the client's error if Redis does not respond at the start.
 */
export async function connectRedis(
  urls: readonly string[],
  logger: Logger,
  commandTimeoutMs = 2_000,
): Promise<RedisClient> {
  const [first, ...others] = urls;
  if (first === undefined) throw new TypeError('no URL of a Redis is named');
  const options = { maxRetriesPerRequest: 0, commandTimeout: commandTimeoutMs };
  const clusterOf = () => new Cluster([...urls], clusterOptions(first, options));
  if (others.length > 0) return connected(clusterOf(), logger);
  const alone = await connected(new Redis(first, { ...singleOptions, ...options }), logger);
  if (!(await isOfCluster(alone, logger))) return alone;
  alone.disconnect();
  logger.info('REDIS_URL names a node of a Redis Cluster, which lists the others');
  return connected(clusterOf(), logger);
}

/** Resolves with the client when it is connected. Later errors are logged. */
async function connected<Client extends RedisClient>(redis: Client, logger: Logger): Promise<Client> {
  const lost = ThrottledLog.errors(logger, 'redis does not respond');
  // A cluster emits another event for the connection to one node.
  for (const event of ['error', 'node error']) {
    redis.on(event, (error) => {
      lost.log(error);
    });
  }
  try {
    await redis.connect();
    // Otherwise it would connect to each master at its first command, and reject other commands for it meanwhile.
    if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map((node) => node.ping()));
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return redis;
}

/** Whether a Redis is a node of a cluster: a client for a single Redis could not reach keys on other nodes. */
async function isOfCluster(redis: Redis, logger: Logger): Promise<boolean> {
  try {
    return (await redis.info('cluster')).includes('cluster_enabled:1');
  } catch (err) {
    if (!(err instanceof ReplyError)) throw err;
    logger.warn({ err }, 'cannot find out whether Redis is a node of a cluster; it is used as a single one');
    return false;
  }
}

const singleOptions: RedisOptions = {
  lazyConnect: true,
  enableOfflineQueue: false,
  // The commands of one turn of the event loop are one write.
  enableAutoPipelining: true,
  retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
};

/** Options for a cluster whose nodes accept the credentials of the URL, over TLS if it begins with `rediss:`. */
export function clusterOptions(url: string, options: RedisOptions): ClusterOptions {
  const { protocol, username, password } = new URL(url);
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    // Otherwise no client could connect while one master is away, although the others serve their slots.
    enableReadyCheck: false,
    maxRedirections,
    clusterRetryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    // Host names are not resolved, because certificates contain them.
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
