import { randomBytes } from 'node:crypto';
import { startPostgres } from '../postgres/start-postgres';
import { dropTestDatabases } from '../postgres/test-database';
import { databaseUrlVariable, runIdVariable } from '../postgres/test-server-url';
import { redisUrlVariable, startRedis } from '../redis/start-redis';

export type ServerName = 'postgres' | 'redis';

/**
 * Provides the servers that tests need, and names them to the test files in the environment. A server that the
 * environment already names is used; others are started, and end with this process at the latest.
 *
 * @returns a function that stops started servers, and removes what the tests created on others
 */
export async function provideServers(names: ServerName[]): Promise<() => Promise<void>> {
  const endings: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
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
    if (isSet(databaseUrlVariable)) return dropTestDatabases;
    const server = await startPostgres({ dataDir: 'temporary' });
    return publish(databaseUrlVariable, server.url(), server);
  },

  async redis() {
    if (isSet(redisUrlVariable)) return () => Promise.resolve();
    const server = await startRedis();
    return publish(redisUrlVariable, server.url, server);
  },
};

function isSet(variable: string): boolean {
  return (process.env[variable] ?? '') !== '';
}

/** Sets the variable to the URL of a started server. @returns a function that undoes this and stops the server */
function publish(variable: string, url: string, server: { stop(): Promise<void> }): () => Promise<void> {
  process.env[variable] = url;
  return async () => {
    Reflect.deleteProperty(process.env, variable);
    await server.stop();
  };
}
