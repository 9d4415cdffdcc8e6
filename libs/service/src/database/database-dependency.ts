import { Client } from 'pg';
import { type Dependency } from '../observability/awaited-dependency';
import { connectionOptions } from './connection';
import { isDatabaseUnavailable } from './database-errors';

/**
 * PostgreSQL, to wait for in `waitForDependencies`. A server that rejects the connection counts as up: the error of a
 * wrong password, for instance, comes from the first connection of the service itself.
 *
 * @param service for `application_name`
 */
export function databaseDependency(service: string, url: string): Dependency {
  return {
    name: 'database',
    check: async () => {
      const client = new Client({ ...connectionOptions(service), connectionString: url });
      // A connection that breaks later also emits an error event.
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('SELECT 1');
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}
