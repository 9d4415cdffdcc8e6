import { type Platform } from '@waggle/service';
import { type SharedRedis } from '@waggle/service/login';
import { type Bus } from './bus';
import { RedisBus } from './redis-bus';
import { RedisMasters } from './redis-masters';

/** Opens the bus over the Redis that the instances share, if there is one. */
export function openBus(platform: Platform, redis: SharedRedis | undefined): Bus | undefined {
  if (redis === undefined) return undefined;
  const bus = new RedisBus(new RedisMasters(redis.commands, redis.urls), `${redis.prefix}stream:`, platform.logger);
  platform.onClose(() => bus.close());
  return bus;
}
