import { type PgBouncer, startPgBouncer, type TestDatabase } from '@waggle/testing';
import { loginBody } from '../support/video-auth-client';
import { freshDatabase, VideoAuthUnderTest } from '../support/video-auth-under-test';

// The first run on a machine without PgBouncer fetches it.
const fetchTimeoutMs = 240_000;
/** Connections to PostgreSQL; two instances open up to ten each. */
const poolSize = 2;

describe('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pgBouncer: PgBouncer;
  let service: VideoAuthUnderTest;
  beforeAll(async () => {
    database = await freshDatabase();
    pgBouncer = await startPgBouncer({ upstream: database.url, poolSize });
    service = await VideoAuthUnderTest.startWithRedis({ database: { url: pgBouncer.url() } });
  }, fetchTimeoutMs);
  afterAll(async () => {
    await service.stop();
    await pgBouncer.stop();
    await database.drop();
  });

  it('instances log in, check and log out over fewer connections than they open', async () => {
    const instances = [service.instance, await service.addInstance({ database: { url: pgBouncer.url() } })];
    const all = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const [one, other] = n % 2 === 0 ? instances : instances.toReversed();
        if (one === undefined || other === undefined) throw new Error('two instances');
        const account = n % 3 === 0 ? 'alice' : 'bob';
        const body = loginBody(account);
        const token = await one.logIn(account, body);
        expect((await other.post('/api/v1/auth/login_singleton', body)).status).toBe(401);
        expect(await Promise.all([one, other, one, other].map((each) => each.isGood(token)))).not.toContain(false);
        return { token, other };
      }),
    );
    const [last] = all;
    expect(
      (await last?.other.post('/api/v1/auth/logout', undefined, { Authorization: `Bearer ${last.token}` }))?.ok,
    ).toBe(true);
    for (const instance of instances) expect(await instance.isGood(String(last?.token))).toBe(false);
    const { clients, servers } = await pgBouncer.connections();
    expect(servers).toBeLessThanOrEqual(poolSize);
    expect(clients).toBeGreaterThan(poolSize);
  });
});
