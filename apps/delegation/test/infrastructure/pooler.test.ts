import { Devnet } from '@waggle/devnet';
import { type PgBouncer, startPgBouncer, type TestDatabase, until } from '@waggle/testing';
import { blocksFrom, delegate } from '../support/blocks';
import { DelegationUnderTest, freshDatabase } from '../support/delegation-under-test';
import { IndexerUnderTest } from '../support/indexer-under-test';

// The first run on a machine without PgBouncer fetches it.
const fetchTimeoutMs = 240_000;
/** Connections to PostgreSQL; the API opens up to twelve. */
const poolSize = 3;
const delegators = Array.from({ length: 50 }, (_none, index) => `from-${index}`);

describe('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pgBouncer: PgBouncer;
  let service: DelegationUnderTest;
  beforeAll(async () => {
    database = await freshDatabase();
    pgBouncer = await startPgBouncer({ upstream: database.url, poolSize });
    service = await DelegationUnderTest.start({ trustedProxies: ['loopback'] }, { ...database, url: pgBouncer.url() });
    await service.feed.begin();
    await service.feed.apply(blocksFrom(1, [delegators.map((name, n) => delegate(name, 'bob', BigInt(n + 1)))]));
  }, fetchTimeoutMs);
  afterAll(async () => {
    await service.stop();
    await pgBouncer.stop();
    await database.drop();
  });

  it('the API serves concurrent requests over shared and pooled connections, and exports', async () => {
    const requests = Array.from({ length: 2 }, () =>
      delegators.map(async (name, n) => {
        const [balance, list, past] = await Promise.all([
          service.get(`/api/deleg/account?account=${name}`),
          service.get(`/api/deleg/out?account=${name}`),
          service.get(`/api/deleg/history/out?account=${name}`),
        ]);
        const amount = `0.${String(n + 1).padStart(6, '0')}`.replace(/0+$/, '');
        expect(JSON.parse(balance.text)).toMatchObject({ account: name, balances: { out: Number(amount) } });
        expect(JSON.parse(list.text)).toMatchObject([{ delegator: name, delegatee: 'bob' }]);
        expect(JSON.parse(past.text)).toMatchObject([{ delegator: name, delegatee: 'bob' }]);
      }),
    );
    const files = [1, 2].map(async (file) => {
      // One export at a time for each address.
      const headers = { accept: 'text/csv', 'x-forwarded-for': `192.0.2.${file}` };
      const { text } = await service.get('/api/deleg/in?account=bob', headers);
      expect(text.split('\r\n')).toHaveLength(1 + delegators.length + 1);
    });
    await Promise.all([...requests.flat(), ...files]);
    const { clients, servers } = await pgBouncer.connections();
    expect(servers).toBeLessThanOrEqual(poolSize);
    expect(clients).toBeGreaterThan(poolSize);
  });

  it('the indexer exits at once with an explanation, since clients would share its lock', async () => {
    const devnet = await Devnet.start({ unsigned: true });
    const indexer = await IndexerUnderTest.start(pgBouncer.url(), devnet.urls);
    await until(() => Promise.resolve(indexer.logLines.some((line) => line.includes('reaches PostgreSQL directly'))));
    expect(await indexer.isReady()).toBe(false);
    await indexer.stop();
    await devnet.stop();
  });
});
