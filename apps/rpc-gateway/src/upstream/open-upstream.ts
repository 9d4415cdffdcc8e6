import { type Platform } from '@waggle/service';
import { logNodeChanges } from '@waggle/service/chain';
import { MemoryCache } from '../cache/memory-cache';
import { RedisCache } from '../cache/redis-cache';
import { type RouteSettings } from '../routes/read-route-file';
import { countReplies, observeUpstream } from './upstream-metrics';
import { Backend } from './backend';
import { ChainHead } from './chain-head';
import { HeadWatch } from './head-watch';
import { Upstream } from './upstream';

export interface UpstreamSettings {
  /** `urls`: one Redis, or nodes of a cluster. `prefix`: of every key, so that deployments can share a Redis. */
  readonly redis: { readonly urls: readonly string[]; readonly prefix: string } | undefined;
  readonly routes: Pick<RouteSettings, 'backends'>;
  /** Settings of the cache in memory. */
  readonly cache: { readonly maxBytes: number };
}

export interface OpenUpstream {
  readonly upstream: Upstream;
  readonly backends: readonly Backend[];
  readonly head: ChainHead;
}

/** Opens everything that forwards calls to nodes. Resolves after a first poll of their heads. */
export async function openUpstream(settings: UpstreamSettings, platform: Platform): Promise<OpenUpstream> {
  const { logger, metrics, readiness } = platform;
  const onCall = countReplies(metrics);
  const backends = settings.routes.backends.map((backend) => new Backend(backend, onCall, logNodeChanges(logger)));
  const memory = new MemoryCache(settings.cache.maxBytes);
  const redis = settings.redis && new RedisCache(settings.redis.urls, settings.redis.prefix, logger);
  logger.info(
    redis === undefined
      ? 'no REDIS_URL: responses are cached in this process only'
      : 'cached responses are shared with other instances over Redis',
  );
  observeUpstream(metrics, backends, memory);
  const head = new ChainHead();
  const watch = new HeadWatch(
    backends.filter(({ reportsHead }) => reportsHead),
    head,
  );
  readiness.add({
    name: 'upstream',
    check: () => (head.hasRecentReport ? Promise.resolve() : Promise.reject(new Error('no node reports its head'))),
  });
  platform.onClose(async () => {
    watch.stop();
    redis?.close();
    await Promise.all(backends.map((backend) => backend.pool.close()));
  });
  await watch.start();
  const byName = new Map(backends.map((backend) => [backend.name, backend]));
  return { backends, upstream: new Upstream(byName, head, memory, redis), head };
}
