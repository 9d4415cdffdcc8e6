import { randomBytes } from 'node:crypto';
import { type Client, escapeIdentifier } from 'pg';
import { administratorUrl, runPrefix } from './test-server-url';
import { withDatabase } from './with-database';

export interface TestDatabase {
  /** Connection string of this database, as its administrator. */
  url: string;
  /** Removes it, ending connections that are still open. */
  drop: () => Promise<void>;
}

/** A migrated database that others are copied from. */
export interface DatabaseTemplate {
  name: string;
}

/**
 * Creates a template once per test run; concurrent test files wait for it.
 *
 * @param migrate migrates the empty database at `url`, and closes its connections
 */
export async function createTemplate(
  name: string,
  migrate: (url: string) => Promise<unknown>,
): Promise<DatabaseTemplate> {
  const database = `${runPrefix()}template_${name}`;
  await asAdministrator(async (client) => {
    // Held until the connection ends. The key is unique to the run, because the name contains its prefix.
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [database]);
    const { rows } = await client.query<{ datistemplate: boolean }>(
      'SELECT datistemplate FROM pg_database WHERE datname = $1',
      [database],
    );
    if (rows[0]?.datistemplate === true) return;
    const identifier = escapeIdentifier(database);
    // A database that is not marked as a template is left from a failed attempt.
    await client.query(`DROP DATABASE IF EXISTS ${identifier}`);
    await client.query(`CREATE DATABASE ${identifier} TEMPLATE template0`);
    await migrate(urlOf(database));
    await client.query(`ALTER DATABASE ${identifier} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  });
  return { name: database };
}

/** A database for one test file: a copy of the template, or empty without one. */
export async function createTestDatabase(template?: DatabaseTemplate): Promise<TestDatabase> {
  const database = `${runPrefix()}${randomBytes(6).toString('hex')}`;
  const identifier = escapeIdentifier(database);
  await asAdministrator(async (client) => {
    const source = escapeIdentifier(template?.name ?? 'template0');
    await client.query(`CREATE DATABASE ${identifier} TEMPLATE ${source}${await copyStrategy(client)}`);
  });
  return {
    url: urlOf(database),
    drop: () =>
      asAdministrator(async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${identifier} WITH (FORCE)`);
      }),
  };
}

/** Drops all databases of this run, including databases of failed test files on a shared server. */
export async function dropTestDatabases(): Promise<void> {
  await asAdministrator(async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [runPrefix()],
    );
    for (const { datname } of rows) {
      const identifier = escapeIdentifier(datname);
      await client.query(`ALTER DATABASE ${identifier} WITH IS_TEMPLATE false`);
      await client.query(`DROP DATABASE ${identifier} WITH (FORCE)`);
    }
  });
}

/**
 * Copies the files of the template if the server lets us choose (PostgreSQL 15 and newer). By default it writes each
 * page to the WAL: creating and dropping a database took 60 ms of a core, and 30 ms with this.
 */
async function copyStrategy(client: Client): Promise<string> {
  const { rows } = await client.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::integer AS version",
  );
  return (rows[0]?.version ?? 0) >= 150_000 ? ' STRATEGY FILE_COPY' : '';
}

function urlOf(database: string): string {
  const url = new URL(administratorUrl());
  url.pathname = `/${database}`;
  return url.toString();
}

function asAdministrator(work: (client: Client) => Promise<void>): Promise<void> {
  return withDatabase(administratorUrl(), work);
}
