import { type TestDatabase } from '@waggle/testing';
import { Client } from 'pg';
import { SnapshotConnection } from '../../src/snapshot/snapshot-connection';
import { freshDatabase } from '../support/index-under-test';

describe('the connection of a snapshot', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await freshDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('has no timeouts, whatever the database sets', async () => {
    // Their number depends on the version of PostgreSQL.
    const { rows: limits } = await client.query<{ name: string }>(
      `SELECT name FROM pg_settings WHERE category ~ '^Client Connection Defaults' AND name LIKE '%timeout'`,
    );
    for (const { name } of limits)
      await client.query(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${name} = ''1min''', current_database()); END $$`,
      );
    const connection = await SnapshotConnection.open(database.url, { isolation: 'repeatable read' });
    const { rows } = await connection.client.query(
      'SELECT name, setting FROM pg_settings WHERE name = ANY($1) ORDER BY name',
      [limits.map(({ name }) => name)],
    );
    connection.close();
    expect(rows).toContainEqual({ name: 'statement_timeout', setting: '0' });
    expect(rows).toEqual(rows.map((row: object) => ({ ...row, setting: '0' })));
  });
});
