import { type Logger, type Registry } from '@waggle/service';
import { logNodeChanges } from '@waggle/service/chain';
import { MemoryCache } from '../cache/memory-cache';
import { RedisCache } from '../cache/redis-cache';
import { type GatewayConfig } from '../config';
import { countReplies, observeUpstream } from '../metrics/upstream-metrics';
import { Backend } from './backend';
import { ChainHead } from './chain-head';
import { HeadWatch } from './head-watch';
import { Upstream } from './upstream';

export interface OpenUpstream {
  readonly upstream: Upstream;
  readonly backends: readonly Backend[];
  readonly head: ChainHead;
  /** @throws Error where no node has said lately how far it is */
  readonly requireNode: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Nodes are asked four times a second how far they are: this many questions without any answer. */
const silenceMostMs = 10_000;

/** Everything that answers calls by asking nodes, once their heads were looked at. */
export async function openUpstream(config: GatewayConfig, logger: Logger, metrics: Registry): Promise<OpenUpstream> {
  const onCall = countReplies(metrics);
  const backends = config.routes.backends.map((settings) => new Backend(settings, onCall, logNodeChanges(logger)));
  const memory = new MemoryCache(config.cache.maxBytes);
  const redis = config.redis && new RedisCache(config.redis.urls, config.redis.prefix, logger);
  logger.info(
    redis === undefined
      ? 'no REDIS_URL: answers are kept in this process alone'
      : 'answers are shared with other instances over Redis',
  );
  observeUpstream(metrics, backends, memory);
  const head = new ChainHead();
  const watch = new HeadWatch(backends, head);
  await watch.start();
  const byName = new Map(backends.map((backend) => [backend.name, backend]));
  return {
    backends,
    upstream: new Upstream(byName, head, memory, redis),
    head,
    requireNode: () =>
      head.ageMs <= silenceMostMs ? Promise.resolve() : Promise.reject(new Error('no node says how far it is')),
    close: async () => {
      watch.stop();
      redis?.close();
      await Promise.all(backends.map((backend) => backend.pool.close()));
    },
  };
}
