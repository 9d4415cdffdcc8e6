import { withstandBreaks } from '@waggle/service';
import { Pool } from 'pg';

/** Injects the connections that only messages and acknowledgements use: slow reads that hold all others do not keep them waiting. */
export const WRITER_POOL = Symbol('WriterPool');

/** Statements at once: a message that arrives while one commits need not wait for it. More of them only get smaller. */
export const maxConnections = 2;

/** Returns a pool with the settings of another one. */
export function writerPool({ options }: Pool): Pool {
  // The password is not among what is copied with the others.
  const pool = new Pool({ ...options, password: options.password, max: maxConnections });
  withstandBreaks(pool);
  return pool;
}
