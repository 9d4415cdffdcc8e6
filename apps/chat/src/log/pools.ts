import { prepareConnection, tolerateConnectionErrors } from '@waggle/service';
import { type ClientBase, Pool, type PoolConfig } from 'pg';

/**
 * Injects the pool that stores messages and acknowledgments. They do not wait while reads use all connections of the
 * other pool.
 */
export const MESSAGE_POOL = Symbol('MessagePool');

/**
 * Injects the pool of `TimelineStore`, the only one whose new connections are not compared with the adopted timeline.
 */
export const TIMELINE_POOL = Symbol('TimelinePool');

/**
 * Number of connections that store messages. With two, a message that arrives during a commit need not wait for it.
 * With more, batches only get smaller.
 */
export const messageConnections = 2;

/** Creates the pool of messages with the settings of another pool. */
export function createMessagePool(pool: Pool): Pool {
  // Without an idle timeout the pool sets no timer for each message.
  return poolLike(pool, { max: messageConnections, idleTimeoutMillis: 0 });
}

/** Creates a pool of one connection with the settings of another pool. */
export function createTimelinePool(pool: Pool): Pool {
  return poolLike(pool, { max: 1, onConnect: prepareConnection });
}

/** node-postgres waits for the promise, which its types do not say. */
type PoolOverrides = Omit<PoolConfig, 'onConnect'> & { onConnect?: (client: ClientBase) => Promise<void> };

function poolLike({ options }: Pool, overrides: PoolOverrides): Pool {
  // The password is not enumerable, so the spread does not copy it.
  const pool = new Pool({ ...options, password: options.password, ...overrides });
  tolerateConnectionErrors(pool);
  return pool;
}
