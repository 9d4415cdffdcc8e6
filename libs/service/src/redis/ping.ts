import { Cluster } from 'ioredis';
import { type RedisClient } from './connection';

/**
 * Checks for readiness whether Redis accepts commands. For a cluster one master that reports `cluster_state:ok` is
 * enough: while others are away it serves its own keys, unless `cluster-require-full-coverage` forbids it.
 *
 * @throws Error if it does not
 */
export async function pingRedis(redis: RedisClient): Promise<void> {
  if (!(redis instanceof Cluster)) {
    await redis.ping();
    return;
  }
  const states = redis.nodes('master').map((node) => node.cluster('INFO'));
  await Promise.any(
    states.map(async (state) => {
      if (!(await state).includes('cluster_state:ok')) throw new Error('the cluster does not accept commands');
    }),
  );
}
