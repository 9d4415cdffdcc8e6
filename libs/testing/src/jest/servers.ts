import { randomBytes } from 'node:crypto';
import { startPostgres } from '../postgres/start-postgres';
import { dropTestDatabases } from '../postgres/test-database';
import { databaseUrlVariable, runIdVariable } from '../postgres/test-server-url';
import { redisUrlVariable, startRedis } from '../redis/start-redis';

export type ServerName = 'postgres' | 'redis';

type Cleanup = () => Promise<void>;

/**
 * Provides the servers that tests need, and names them to the test files in the environment. A server that the
 * environment already names is used; others are started, and end with this process at the latest.
 *
 * @returns a function that stops started servers, and removes what the tests created on others
 */
export async function provideServers(names: ServerName[]): Promise<Cleanup> {
  const cleanups: Cleanup[] = [];
  const cleanUp = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  try {
    for (const name of new Set(names)) cleanups.push(await providers[name]());
  } catch (error) {
    await cleanUp();
    throw error;
  }
  return cleanUp;
}

const providers: Record<ServerName, () => Promise<Cleanup>> = {
  async postgres() {
    process.env[runIdVariable] = randomBytes(4).toString('hex');
    if (isSet(databaseUrlVariable)) return dropTestDatabases;
    const server = await startPostgres({ dataDir: 'temporary' });
    process.env[databaseUrlVariable] = server.url();
    return stopper(databaseUrlVariable, server);
  },

  async redis() {
    if (isSet(redisUrlVariable)) return () => Promise.resolve();
    const server = await startRedis();
    process.env[redisUrlVariable] = server.url;
    return stopper(redisUrlVariable, server);
  },
};

function isSet(variable: string): boolean {
  return (process.env[variable] ?? '') !== '';
}

/** @returns a function that removes the variable and stops the server */
function stopper(variable: string, server: { stop(): Promise<void> }): Cleanup {
  return async () => {
    Reflect.deleteProperty(process.env, variable);
    await server.stop();
  };
}
