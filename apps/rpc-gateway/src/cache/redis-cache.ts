import { createHash } from 'node:crypto';
import { type Logger, ThrottledLog } from '@waggle/service';
import { createClient, createCluster, type RedisClientType, type RedisClusterType } from 'redis';
import { z } from 'zod';
import { type CachedResponse } from './cached-response';

/** A hit saves one call to a node, which takes some tens of milliseconds: waiting longer does not pay. */
const timeoutMs = 100;
/** Time that Redis gets no commands after it did not respond in time, in milliseconds. */
const pauseMs = 1_000;
/** The pause between attempts to connect for the first time. */
const connectRetryMs = 1_000;
/** Maximum length of a stored response. Longer ones are rarely requested twice, and delay the commands behind them. */
const maxResponseLength = 1024 * 1024;
/**
 * The longest time that Redis keeps a response, so that its memory does not grow with everything that was requested in
 * a day. The other instances request the same within seconds, and each caches it itself for as long as it is fresh.
 */
const maxStoredMs = 60_000;
/** Keeps the memory bounded while Redis hangs. */
const maxQueuedCommands = 10_000;

/** The fields of a response that precede its result in Redis. */
const storedFields = z.tuple([z.number(), z.number().nullable(), z.number(), z.number()]);

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
    this.client = clientOf(urls);
    this.client.on('error', (error) => {
      this.failures.log(error);
    });
    void this.connect();
  }

  async find(key: string): Promise<CachedResponse | undefined> {
    const text = await this.attempt(() => this.client.get(this.redisKey(key)));
    return typeof text === 'string' ? parse(text) : undefined;
  }

  /** Does not wait for Redis, and ignores failures. */
  set(key: string, response: CachedResponse, nowMs: number): void {
    const milliseconds = Math.min(Math.ceil(response.staleUntilMs - nowMs), maxStoredMs);
    if (response.member.length > maxResponseLength || milliseconds <= 0) return;
    const expiration = { type: 'PX', value: milliseconds } as const;
    void this.attempt(() => this.client.set(this.redisKey(key), textOf(response), { expiration }));
  }

  close(): void {
    this.isClosed = true;
    this.client.destroy();
  }

  /** Retries until the first connection; after that the client reconnects by itself. */
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
  private async attempt<T>(command: () => Promise<T>): Promise<T | undefined> {
    if (performance.now() < this.pausedUntilMs) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        this.pausedUntilMs = performance.now() + pauseMs;
        this.failures.log(new Error('no response in time'));
        resolve(undefined);
      }, timeoutMs);
    });
    try {
      return await Promise.race([command(), limit]);
    } catch (error) {
      this.failures.log(error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** One Redis, or a cluster whose nodes all have the same credentials and protocol. */
function clientOf(urls: readonly string[]): RedisClientType | RedisClusterType {
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

function textOf({ storedAtMs, headBlock, freshUntilMs, staleUntilMs, member }: CachedResponse): string {
  return `${JSON.stringify([storedAtMs, headBlock ?? null, freshUntilMs, staleUntilMs])}\n${member}`;
}

/** Returns undefined for text in another format, such as another version's. */
function parse(text: string): CachedResponse | undefined {
  const end = text.indexOf('\n');
  try {
    if (!text.startsWith('"result":', end + 1)) return undefined;
    const [storedAtMs, headBlock, freshUntilMs, staleUntilMs] = storedFields.parse(JSON.parse(text.slice(0, end)));
    return { storedAtMs, headBlock: headBlock ?? undefined, freshUntilMs, staleUntilMs, member: text.slice(end + 1) };
  } catch {
    return undefined;
  }
}
