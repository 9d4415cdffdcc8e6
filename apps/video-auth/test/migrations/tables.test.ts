import '../../src/app';
import { declaredStatements } from '@waggle/service';
import {
  differencesFromEntities,
  differencesFromSchema,
  tablesWithoutMigrations,
  type TestDatabase,
} from '@waggle/testing';
import { videoAuthDatabase } from '../../src/database';
import { freshDatabase } from '../support/video-auth-under-test';

describe('the tables', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());
  const options = () => videoAuthDatabase({ url: database.url, poolSize: 2 });

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
