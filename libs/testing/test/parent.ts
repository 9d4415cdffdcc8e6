// Starts both servers, prints the process ids and the data folder, and waits to be killed.
import path from 'node:path';
import { childrenOf } from '../src/processes/inspect';
import { startPostgres } from '../src/postgres/start-postgres';
import { startRedis } from '../src/redis/start-redis';

async function main(): Promise<void> {
  const postgres = await startPostgres({ dataDir: 'temporary' });
  const redis = await startRedis();
  if (process.argv.includes('paused')) for (const server of [postgres, redis]) server.pause();
  const servers = [postgres.pid, redis.pid];
  const guards = childrenOf(process.pid).filter((pid) => !servers.includes(pid));
  const sessions = postgres.pid === undefined ? [] : childrenOf(postgres.pid);
  const folder = path.dirname(postgres.setUp.dataDir);
  process.stdout.write(`${JSON.stringify({ servers, guards, sessions, folder })}\n`);
  setInterval(() => undefined, 1_000_000);
}

void main();
