import { createHash } from 'node:crypto';
import { type Logger, ThrottledLog } from '@waggle/service';
import { createClient, createCluster, type RedisClientType, type RedisClusterType } from 'redis';
import { type CachedResponse } from './cached-response';
import { deserialize, serialize } from './stored-response';

/** Maximum wait for Redis. A hit saves a node call of some tens of milliseconds: a longer wait would cost more. */
const timeoutMs = 100;
/** After a timeout, Redis gets no commands for this long. */
const pauseMs = 1_000;
/** The pause between attempts to connect for the first time. */
const connectRetryMs = 1_000;
/** Maximum length of a stored response. Longer ones are rarely requested twice, and delay the commands behind them. */
const maxResponseLength = 1024 * 1024;
/**
 * Maximum expiry in Redis. It only has to last until the other instances ask for the same, which takes seconds; each
 * then keeps its own copy. A longer one would fill Redis' memory.
 */
const maxExpiryMs = 60_000;
/** Keeps the memory bounded while Redis hangs. */
const maxQueuedCommands = 10_000;

/**
 * Caches responses for all instances; used behind `MemoryCache`. Never rejects: if Redis fails, nodes are called more
 * often.
 */
export class RedisCache {
  private readonly client: RedisClientType | RedisClusterType;
  private readonly failures: ThrottledLog;
  private pausedUntilMs = -Infinity;
  private isClosed = false;

  constructor(
    urls: readonly string[],
    private readonly prefix: string,
    logger: Logger,
  ) {
    this.failures = ThrottledLog.warnings(
      logger,
      'redis does not respond: responses are not shared between instances for the moment',
    );
    this.client = createRedisClient(urls);
    this.client.on('error', (error) => {
      this.failures.log(error);
    });
    void this.connect();
  }

  async find(key: string): Promise<CachedResponse | undefined> {
    const text = await this.withTimeout(() => this.client.get(this.redisKey(key)));
    return typeof text === 'string' ? deserialize(text) : undefined;
  }

  /** Does not wait for Redis, and ignores failures. */
  store(key: string, response: CachedResponse, nowMs: number): void {
    const expiryMs = Math.min(Math.ceil(response.staleUntilMs - nowMs), maxExpiryMs);
    if (response.member.length > maxResponseLength || expiryMs <= 0) return;
    const expiration = { type: 'PX', value: expiryMs } as const;
    void this.withTimeout(() => this.client.set(this.redisKey(key), serialize(response), { expiration }));
  }

  close(): void {
    this.isClosed = true;
    this.client.destroy();
  }

  /** Only the `connect` of a cluster rejects, if no node answers. A client that was connected reconnects by itself. */
  private async connect(): Promise<void> {
    try {
      await this.client.connect();
    } catch (error) {
      if (!this.isClosed) {
        this.failures.log(error);
        setTimeout(() => {
          if (!this.isClosed) void this.connect();
        }, connectRetryMs).unref();
      }
    }
    // `close` does not end a connection that is just opening.
    if (this.isClosed) this.client.destroy();
  }

  private redisKey(key: string): string {
    return `${this.prefix}response:${createHash('sha256').update(key).digest('base64url')}`;
  }

  /** Sends a command. @returns undefined if Redis fails, does not respond in time, or commands are paused after that */
  private async withTimeout<T>(command: () => Promise<T>): Promise<T | undefined> {
    if (performance.now() < this.pausedUntilMs) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        this.pausedUntilMs = performance.now() + pauseMs;
        this.failures.log(new Error('no response in time'));
        resolve(undefined);
      }, timeoutMs);
    });
    try {
      return await Promise.race([command(), timeout]);
    } catch (error) {
      this.failures.log(error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** One Redis, or a cluster whose nodes all have the same credentials and protocol. */
function createRedisClient(urls: readonly string[]): RedisClientType | RedisClusterType {
  const options = {
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxQueuedCommands,
    socket: { connectTimeout: 2_000, reconnectStrategy: (attempts: number) => Math.min(attempts * 100, 2_000) },
  };
  const [first = ''] = urls;
  if (urls.length === 1) return createClient({ url: first, ...options });
  const { username, password, protocol } = new URL(first);
  return createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: {
      ...options,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { socket: { ...options.socket, tls: true } } : {}),
    },
  });
}
