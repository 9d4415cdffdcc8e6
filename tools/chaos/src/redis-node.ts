import { type Running } from '@waggle/running';
import { TcpProxy, type RedisServer, startRedis, startRedisCluster } from '@waggle/testing';

/** A Redis server behind a TCP proxy. */
export interface RedisNode {
  name: string;
  server: RedisServer;
  proxy: TcpProxy;
}

/** Starts a single Redis, or the three masters of a cluster. */
export async function startRedisNodes(running: Running, isCluster: boolean): Promise<RedisNode[]> {
  if (!isCluster) {
    const server = running.use(await startRedis());
    return [{ name: 'Redis', server, proxy: await proxyOf(running, server) }];
  }
  const cluster = running.use(await startRedisCluster());
  const nodes: RedisNode[] = [];
  for (const [index, server] of cluster.nodes.entries()) {
    const proxy = await proxyOf(running, server);
    await server.announce(proxy.port);
    nodes.push({ name: `Redis ${index + 1}`, server, proxy });
  }
  return nodes;
}

async function proxyOf(running: Running, server: RedisServer): Promise<TcpProxy> {
  return running.use(await TcpProxy.to(() => [server.port]));
}
