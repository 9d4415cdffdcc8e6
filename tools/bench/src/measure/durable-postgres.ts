import { type Running } from '@waggle/running';
import { type PostgresServer, startPostgres } from '@waggle/testing';

/** As durable as in production, unlike in tests. No checkpoint falls into one run and not into another. */
const settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_wal_size: '16GB',
  checkpoint_timeout: '1d',
};

/** A PostgreSQL for a bench, in a temporary folder, whose commits are what they are in production. */
export async function startDurablePostgres(running: Running): Promise<PostgresServer> {
  return running.keep(await startPostgres({ dataDir: 'temporary', settings }));
}
