import { type Running } from '@waggle/running';
import { type PostgresServer, startPostgres } from '@waggle/testing';

/** Durable as in production. There are no checkpoints, which would affect only some runs. */
const settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_wal_size: '16GB',
  checkpoint_timeout: '1d',
};

/** Starts a PostgreSQL in a temporary folder whose commits are as durable as in production. */
export async function startDurablePostgres(running: Running, sharedBuffers = '128MB'): Promise<PostgresServer> {
  const all = { ...settings, shared_buffers: sharedBuffers };
  return running.use(await startPostgres({ dataDir: 'temporary', settings: all }));
}
