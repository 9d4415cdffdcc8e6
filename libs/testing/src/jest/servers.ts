import { randomBytes } from 'node:crypto';
import { startPostgres } from '../postgres/start-postgres';
import { dropTestDatabases } from '../postgres/test-database';
import { databaseUrlVariable, runIdVariable } from '../postgres/test-server-url';
import { redisUrlVariable, startRedis } from '../redis/start-redis';

export type ServerName = 'postgres' | 'redis';

/**
 * Gets the servers that tests need and names them to the test files by the environment: one that the environment names
 * already is used, another is started and ends with this process at the latest.
 *
 * @returns ends what was started, and removes from a server that goes on running what the tests made there.
 */
export async function provideServers(names: ServerName[]): Promise<() => Promise<void>> {
  const endings: (() => Promise<void>)[] = [];
  const end = async () => {
    for (const ending of endings.splice(0).toReversed()) await ending();
  };
  try {
    for (const name of new Set(names)) endings.push(await providers[name]());
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

const providers: Record<ServerName, () => Promise<() => Promise<void>>> = {
  async postgres() {
    process.env[runIdVariable] = randomBytes(4).toString('hex');
    if (isNamed(databaseUrlVariable)) return dropTestDatabases;
    const server = await startPostgres({ dataDir: 'temporary' });
    return naming(databaseUrlVariable, server.url(), server);
  },

  async redis() {
    if (isNamed(redisUrlVariable)) return () => Promise.resolve();
    const server = await startRedis();
    return naming(redisUrlVariable, server.url, server);
  },
};

function isNamed(variable: string): boolean {
  return (process.env[variable] ?? '') !== '';
}

function naming(variable: string, url: string, server: { stop(): Promise<void> }): () => Promise<void> {
  process.env[variable] = url;
  return async () => {
    Reflect.deleteProperty(process.env, variable);
    await server.stop();
  };
}
