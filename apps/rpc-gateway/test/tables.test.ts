import { runStatements, statementsIn, type TestDatabase } from '@waggle/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { gatewayDatabase } from '../src/database';
import { freshDatabase } from './index-under-test';

describe('the tables', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());

  it('are those that the entities describe', async () => {
    const dataSource = await new DataSource(gatewayDatabase({ url: database.url, poolSize: 2 })).initialize();
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    await dataSource.destroy();
    // Checks are the migration's own.
    const differences = upQueries
      .map(({ query }) => query)
      .filter((query) => !/DROP CONSTRAINT "\w+_check"/.test(query));
    expect(differences).toEqual([]);
  });

  it('are asked by the runbook in their own words', () =>
    runStatements(database.url, statementsIn('docs/runbooks/rpc-gateway.md')));

  it('go when the migration is taken back', async () => {
    const dataSource = await new DataSource(gatewayDatabase({ url: database.url, poolSize: 2 })).initialize();
    await dataSource.undoLastMigration();
    await dataSource.destroy();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'migration'",
    );
    await client.end();
    expect(rows).toEqual([]);
  });
});
