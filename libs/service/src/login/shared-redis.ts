import { secp256k1Backend } from '@waggle/signatures';
import { type Platform } from '../platform/platform';
import { connectRedis, type RedisClient } from '../redis/connection';
import { pingRedis } from '../redis/ping';

/** Injects a `SharedRedis`, or undefined if there is one instance, whose state stays in its process. */
export const SHARED_REDIS = Symbol('SharedRedis');

/** The Redis that holds what the instances of a service share. */
export interface SharedRedis {
  readonly commands: RedisClient;
  readonly urls: readonly string[];
  /** The prefix of every key and pub/sub channel, so that deployments may share a Redis. */
  readonly prefix: string;
}

/** @param state what it holds, for the log */
export async function openSharedRedis(
  platform: Platform,
  settings: Pick<SharedRedis, 'urls' | 'prefix'> | undefined,
  state: string,
): Promise<SharedRedis | undefined> {
  const { logger, readiness } = platform;
  const redis = settings && { ...settings, commands: await connectRedis(settings.urls, logger) };
  logger.info(
    { signatures: secp256k1Backend },
    redis === undefined
      ? `no REDIS_URL: ${state} stay in this process, so run one instance`
      : `${state} are shared with other instances over Redis`,
  );
  if (redis !== undefined) {
    readiness.add({ name: 'redis', check: () => pingRedis(redis.commands) });
    platform.onClose(() => {
      redis.commands.disconnect();
    });
  }
  return redis;
}
