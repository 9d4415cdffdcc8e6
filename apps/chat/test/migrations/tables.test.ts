import '../../src/app';
import '../../src/import/importer';
import { declaredStatements } from '@waggle/service';
import {
  differencesFromEntities,
  differencesFromSchema,
  tablesWithoutMigrations,
  type TestDatabase,
} from '@waggle/testing';
import { chatDatabase } from '../../src/database';
import { freshDatabase } from '../support/chat-under-test';

describe('the tables', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());
  const options = () => chatDatabase({ url: database.url, poolSize: 2 });

  it('match the entities', async () => {
    const differences = await differencesFromEntities(options());
    // TypeORM requires a primary key, which this table does not have.
    expect(differences.filter((each) => !each.startsWith('ALTER TABLE "commit_log" ADD CONSTRAINT'))).toEqual([]);
  });

  it('fit every SQL statement', async () => {
    expect(await differencesFromSchema(database.url, declaredStatements())).toEqual([]);
  });

  it('are dropped when the migrations are reverted', async () => {
    expect(await tablesWithoutMigrations(options())).toEqual([]);
  });
});
