import { withstandBreaks } from '@waggle/service';
import { Pool } from 'pg';

/**
 * Injects the pool of messages and acknowledgements, and of the check for a failover: these do not wait while the reads of clients use
 * all other connections.
 */
export const WRITER_POOL = Symbol('WriterPool');

/** With two, a message that arrives during a commit need not wait for it. With more, batches only get smaller. */
export const maxConnections = 2;

/** Returns a pool with the settings of another pool. */
export function writerPool({ options }: Pool): Pool {
  // The password is not enumerable, so the spread does not copy it. Without an idle timeout the pool sets no timer for each message.
  const pool = new Pool({ ...options, password: options.password, max: maxConnections, idleTimeoutMillis: 0 });
  withstandBreaks(pool);
  return pool;
}
