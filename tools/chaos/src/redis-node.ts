import { type Running } from '@waggle/running';
import { Front, type RedisServer, startRedis, startRedisCluster } from '@waggle/testing';

/** A Redis server behind a TCP proxy. */
export interface RedisNode {
  name: string;
  server: RedisServer;
  front: Front;
}

/** Starts a single Redis, or the three masters of a cluster. */
export async function startRedisNodes(running: Running, isCluster: boolean): Promise<RedisNode[]> {
  if (!isCluster) {
    const server = running.use(await startRedis());
    return [{ name: 'Redis', server, front: await frontOf(running, server) }];
  }
  const cluster = running.use(await startRedisCluster());
  const nodes: RedisNode[] = [];
  for (const [index, server] of cluster.nodes.entries()) {
    const front = await frontOf(running, server);
    await server.announce(front.port);
    nodes.push({ name: `Redis ${index + 1}`, server, front });
  }
  return nodes;
}

async function frontOf(running: Running, server: RedisServer): Promise<Front> {
  return running.use(await Front.to(() => [server.port]));
}
