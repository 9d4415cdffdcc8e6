import '../../src/app';
import '../../src/indexer.app';
import { declaredStatements } from '@waggle/service';
import {
  differencesFromEntities,
  differencesFromSchema,
  examplesOf,
  runStatements,
  statementsIn,
  tablesWithoutMigrations,
  type TestDatabase,
} from '@waggle/testing';
import { Client } from 'pg';
import { gatewayDatabase } from '../../src/database';
import { freshDatabase } from '../support/index-under-test';

describe('the tables', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());
  const options = () => gatewayDatabase({ url: database.url, poolSize: 2 });

  it('match the entities', async () => {
    expect(await differencesFromEntities(options())).toEqual([]);
  });

  it('match every SQL statement', async () => {
    expect(await differencesFromSchema(database.url, declaredStatements())).toEqual([]);
  });

  it('match the SQL of the runbooks', () =>
    runStatements(database.url, [
      ...statementsIn('docs/runbooks/README.md'),
      ...statementsIn('docs/runbooks/rpc-gateway.md'),
    ]));

  it('of the index are all emptied by the reindexing in the runbook', async () => {
    const examples = examplesOf('docs/runbooks/rpc-gateway.md').filter(({ section }) => section === 'Reindex');
    const sql = examples.map(({ text }) => text).join('\n');
    const emptied = [...sql.matchAll(/(?:TRUNCATE|DELETE FROM) ([\w, ]+);/g)].flatMap(([, tables = '']) =>
      tables.split(', '),
    );
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables
         WHERE schemaname = 'public' AND tablename NOT IN ('migration', 'snapshot_request')`,
      );
      expect(emptied.sort()).toEqual(rows.map(({ name }) => name).sort());
    } finally {
      await client.end();
    }
  });

  it('are dropped when the migrations are reverted', async () => {
    expect(await tablesWithoutMigrations(options())).toEqual([]);
  });
});
