import { restError } from '@waggle/contracts';
import {
  botHeaders,
  exampleIn,
  type PostgresServer,
  provideDatabase,
  siteAndBot,
  startPostgres,
  until,
} from '@waggle/testing';
import { Client } from 'pg';
import { migrate } from '../../src/database';
import { blocksFrom, blockWith, delegate } from '../support/blocks';
import { DelegationUnderTest, freshDatabase } from '../support/delegation-under-test';
import { Feed } from '../support/feed';

describe('the API with a role that may only read, which is made before the migrations', () => {
  let postgres: PostgresServer;
  let service: DelegationUnderTest;
  beforeAll(async () => {
    postgres = await startPostgres({ dataDir: 'temporary' });
    const url = await provideDatabase(postgres, 'delegation');
    const administrator = new Client({ connectionString: postgres.url('delegation') });
    await administrator.connect();
    await administrator.query(exampleIn('k8s/README.md', 'A database URL for the API'));
    await administrator.end();
    await migrate(url);
    const reader = new URL(url);
    [reader.username, reader.password] = ['delegation-api', 'change-me'];
    const database = { url, drop: () => Promise.resolve() };
    service = await DelegationUnderTest.start({ database: { url: reader.href } }, database);
    await service.feed.begin();
    await service.feed.apply(blocksFrom(1, [[delegate('alice', 'bob', 7n)]]));
    await service.feed.close();
  });
  afterAll(async () => {
    await service.stop();
    await postgres.stop();
  });

  const paths = [
    'account?account=bob',
    'account?account=bob&as_of_block=1',
    'in?account=bob',
    'history/in?account=bob',
    'status',
  ];

  it('serves', async () => {
    expect((await service.get('/health/ready')).status).toBe(200);
    for (const path of paths) expect([path, (await service.get(`/api/deleg/${path}`)).status]).toEqual([path, 200]);
    const { text } = await service.get('/api/deleg/in?account=bob', { accept: 'text/csv' });
    expect(text.split('\r\n')).toHaveLength(3);
  });

  it('responds with 503 and Retry-After while the database is unavailable, and recovers without a restart', async () => {
    await postgres.kill();
    for (const path of paths) {
      const { status, headers, text } = await service.get(`/api/deleg/${path}`);
      expect([path, status, headers['retry-after']]).toEqual([path, 503, '1']);
      expect(restError.parse(JSON.parse(text)).code).toBe('unavailable');
    }
    const csv = await service.get('/api/deleg/in?account=bob', { accept: 'text/csv' });
    expect(csv.status).toBe(503);
    expect((await service.get('/health/ready')).status).toBe(503);
    expect((await service.get('/health/live')).status).toBe(200);
    await postgres.start();
    await until(async () => (await service.get('/api/deleg/in?account=bob')).status === 200);
    // No export still counts as running.
    for (let n = 0; n < 3; n += 1) {
      expect((await service.get('/api/deleg/in?account=bob', { accept: 'text/csv' })).status).toBe(200);
    }
  });
});

describe('limits', () => {
  it('reject an address that sends too many requests, with Retry-After', async () => {
    const service = await DelegationUnderTest.start({ rateLimits: { requests: 3 } });
    await service.feed.begin();
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await service.get('/api/deleg/account?account=bob')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const { headers, text } = await service.get('/api/deleg/in?account=bob');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(restError.parse(JSON.parse(text))).toMatchObject({ code: 'rate-limited', limit: 'requests-per-minute' });
    expect((await service.get('/health/live')).status).toBe(200);
    await service.stop();
  });

  it('are those of a named client, found by its address or token', async () => {
    const namedClients = siteAndBot('requests-per-minute', '127.0.0.0/8');
    const service = await DelegationUnderTest.start({ rateLimits: { requests: 1 }, namedClients });
    await service.feed.begin();
    const statusOf = async (headers = {}) => (await service.get('/api/deleg/account?account=bob', headers)).status;
    for (const status of [200, 200, 200, 429]) expect(await statusOf()).toBe(status);
    for (const status of [200, 200, 429]) expect(await statusOf(botHeaders)).toBe(status);
    await service.stop();
  });

  it('responds with 503 before indexing has started', async () => {
    const service = await DelegationUnderTest.start();
    const { status, headers, text } = await service.get('/api/deleg/in?account=bob');
    expect([status, headers['retry-after']]).toEqual([503, '10']);
    expect(restError.parse(JSON.parse(text)).message).toBe('the index is being built; see /api/deleg/status');
    expect(JSON.parse((await service.get('/api/deleg/status')).text)).toMatchObject({
      ready: false,
      synced_block: null,
    });
    expect((await service.get('/health/ready')).status).toBe(503);
    await service.stop();
  });
});

describe('applying blocks', () => {
  /** Fails as PostgreSQL does for the victim of a deadlock. */
  const failBalances = `
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON account_balance FOR EACH STATEMENT EXECUTE FUNCTION fail()`;

  // The statements that were sent with it fail too, because the transaction is aborted. That error would stop the
  // indexer for good.
  it('fails with the error of the first pipelined statement that fails', async () => {
    const database = await freshDatabase();
    const feed = await Feed.into(database.url);
    await feed.begin();
    // From here on the statements are prepared.
    await feed.apply([blockWith(1, [delegate('alice', 'bob', 5n)]), blockWith(2, [delegate('alice', 'bob', 3n)])], 1);
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(failBalances);
    await admin.end();
    await expect(feed.apply([blockWith(3, [delegate('alice', 'bob', 2n)])])).rejects.toMatchObject({ code: '40P01' });
    await feed.close();
    await database.drop();
  });
});
