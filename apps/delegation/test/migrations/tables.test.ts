import '../../src/app';
import '../../src/indexer.app';
import { declaredStatements } from '@waggle/service';
import {
  differencesFromEntities,
  differencesFromSchema,
  tablesWithoutMigrations,
  type TestDatabase,
} from '@waggle/testing';
import { delegationDatabase } from '../../src/database';
import { freshDatabase } from '../support/delegation-under-test';

describe('the tables', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());
  const options = () => delegationDatabase({ url: database.url, poolSize: 2 });

  it('match the entities', async () => {
    expect(await differencesFromEntities(options())).toEqual([]);
  });

  it('match every SQL statement', async () => {
    expect(await differencesFromSchema(database.url, declaredStatements())).toEqual([]);
  });

  it('are dropped when the migrations are reverted', async () => {
    expect(await tablesWithoutMigrations(options())).toEqual([]);
  });
});
