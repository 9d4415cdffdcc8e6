import { type Running } from '@waggle/running';
import { TcpProxy, type RedisServer, startRedis, startRedisCluster } from '@waggle/testing';

/** A Redis server behind a TCP proxy. */
export interface RedisNode {
  /** The target in the report of a fault. */
  name: string;
  server: RedisServer;
  proxy: TcpProxy;
}

/** Starts a single Redis, or the three masters of a cluster, each behind a proxy. */
export async function startRedisNodes(running: Running, isCluster: boolean): Promise<RedisNode[]> {
  if (!isCluster) {
    const server = running.use(await startRedis());
    return [{ name: 'Redis', server, proxy: await startProxy(running, server) }];
  }
  const cluster = running.use(await startRedisCluster());
  const nodes: RedisNode[] = [];
  for (const [index, server] of cluster.nodes.entries()) {
    const proxy = await startProxy(running, server);
    // Clients of a cluster connect to the addresses that its nodes announce.
    await server.announce(proxy.port);
    nodes.push({ name: `Redis ${index + 1}`, server, proxy });
  }
  return nodes;
}

async function startProxy(running: Running, server: RedisServer): Promise<TcpProxy> {
  return running.use(await TcpProxy.to(() => [server.port]));
}
