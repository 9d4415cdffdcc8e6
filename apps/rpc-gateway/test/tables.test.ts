import '../src/app';
import '../src/indexer.app';
import { declaredStatements } from '@waggle/service';
import {
  differencesFromEntities,
  differencesFromSchema,
  runStatements,
  statementsIn,
  tablesWithoutMigrations,
  type TestDatabase,
} from '@waggle/testing';
import { gatewayDatabase } from '../src/database';
import { freshDatabase } from './index-under-test';

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

  it('are dropped when the migrations are reverted', async () => {
    expect(await tablesWithoutMigrations(options())).toEqual([]);
  });
});
