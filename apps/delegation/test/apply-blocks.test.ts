import { type TestDatabase } from '@waggle/testing';
import { Client } from 'pg';
import { blockWith, delegate } from './blocks';
import { freshDatabase } from './delegation-under-test';
import { Feed } from './feed';

/** Fails as PostgreSQL does for the victim of a deadlock. */
const failBalances = `
  CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$;
  CREATE TRIGGER fail BEFORE INSERT ON account_balance FOR EACH STATEMENT EXECUTE FUNCTION fail()`;

describe('applying blocks', () => {
  let database: TestDatabase;
  let feed: Feed;
  let admin: Client;
  beforeEach(async () => {
    database = await freshDatabase();
    feed = await Feed.into(database.url);
    admin = new Client({ connectionString: database.url });
    await admin.connect();
  });
  afterEach(async () => {
    await feed.close();
    await admin.end();
    await database.drop();
  });

  // The statements that were sent with it fail too, because the transaction is aborted. That error would stop the indexer for good.
  it('fails with the error of the first pipelined statement that fails', async () => {
    await feed.begin();
    // From here on the statements are prepared.
    await feed.apply([blockWith(1, [delegate('alice', 'bob', 5n)]), blockWith(2, [delegate('alice', 'bob', 3n)])], 1);
    await admin.query(failBalances);
    await expect(feed.apply([blockWith(3, [delegate('alice', 'bob', 2n)])])).rejects.toMatchObject({ code: '40P01' });
  });
});
