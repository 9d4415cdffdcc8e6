import { Cluster, Redis, ReplyError, type ClusterOptions, type RedisOptions } from 'ioredis';
import { type Logger } from './logging';
import { ThrottledLog } from './throttled-log';

export { redisDependency } from './redis-dependency';

/** One Redis, or a Redis Cluster. A command, script or pipeline may only name keys that share a hash tag. */
export type RedisClient = Redis | Cluster;

/** A command in a cluster is sent again so often at most: to where its slot has moved, or in case a master is back. */
const maxRedirections = 5;

/**
 * Connects to Redis so that it fails fast: a command is refused while there is no connection, and given up after the
 * time limit, because whoever waits for it has a client waiting in turn. Reconnects by itself.
 *
 * @param urls one Redis or one node of a Redis Cluster, which says itself which of both it is; or several start nodes of a
 *   cluster, which is connected to while any of them answers.
 * @throws what the client says when Redis does not answer at the start.
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
  logger.info('the one REDIS_URL names a node of a Redis Cluster: the others are found by it');
  return connected(clusterOf(), logger);
}

/** @returns the client, once it is connected; what it loses later is logged */
async function connected<Client extends RedisClient>(redis: Client, logger: Logger): Promise<Client> {
  const lost = new ThrottledLog((leftOut, err) => {
    logger.error({ err, leftOut }, 'redis does not answer');
  });
  // A cluster has a word of its own for the connection to one node.
  for (const event of ['error', 'node error']) {
    redis.on(event, (error) => {
      lost.log(error);
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

/** Whether a Redis is a node of a cluster: as a single one it would refuse what lies on other nodes. */
async function isOfCluster(redis: Redis, logger: Logger): Promise<boolean> {
  try {
    return (await redis.info('cluster')).includes('cluster_enabled:1');
  } catch (err) {
    if (!(err instanceof ReplyError)) throw err;
    logger.warn({ err }, 'Redis does not say whether it is a node of a cluster; it is taken for a single one');
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

/** For a cluster whose nodes let in whom the URL names, and over TLS where it says `rediss:`. */
export function clusterOptions(url: string, options: RedisOptions): ClusterOptions {
  const { protocol, username, password } = new URL(url);
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    // Else nobody can connect while one master is gone, though the others serve their slots.
    enableReadyCheck: false,
    maxRedirections: maxRedirections,
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
