import { createHash, randomUUID } from 'node:crypto';
import { videoSession, videoSessionCheck } from '@waggle/contracts';
import { until } from '@waggle/testing';
import { decodeJwt } from 'jose';
import { Client, Pool } from 'pg';
import { z } from 'zod';
import { SessionWriter, type NewSession } from '../../src/sessions/session-writer';
import { authPath, bearer, errorOf, jsonOf } from '../support/video-auth-client';
import { VideoAuthUnderTest, type VideoAuthInstance } from '../support/video-auth-under-test';

let service: VideoAuthUnderTest;
let first: VideoAuthInstance;
/** Sessions are the same at all instances. */
let other: VideoAuthInstance;
beforeAll(async () => {
  service = await VideoAuthUnderTest.start();
  first = service.instance;
  other = await service.addInstance();
});
afterAll(() => service.stop());

/** Changes only `Date`; timers continue. */
const allButDate = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

const sessionsPath = `${authPath}/sessions`;
const list = async (token: string) => jsonOf(await other.get(sessionsPath, bearer(token)), z.array(videoSession));
const sessionOf = (token: string) => String(decodeJwt(token)['sid']);
const end = (token: string, id: string) => first.delete(`${sessionsPath}/${id}`, bearer(token));
const logOut = (token: string) => first.post(`${authPath}/logout`, undefined, bearer(token));

it('is valid at any instance until it ends', async () => {
  const token = await first.logIn('alice');
  expect(await jsonOf(await other.check(token), videoSessionCheck)).toEqual({ ok: true });
});

it.each([
  ['checks', (token: string) => first.check(token), [200]],
  ['log-outs', logOut, [204, 401]],
])('limits concurrent session lookups of a token to two: %s', async (_what, call, statuses) => {
  const token = await first.logIn('alice');
  const database = new Client({ connectionString: service.database.url });
  await database.connect();
  const waiting = async () => {
    // Otherwise the transaction sees its first snapshot.
    await database.query('SELECT pg_stat_clear_snapshot()');
    const { rowCount } = await database.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'FROM session'`,
    );
    return rowCount;
  };
  await database.query('BEGIN; LOCK TABLE session');
  const calls = Array.from({ length: 20 }, async () => (await call(token)).status);
  try {
    await until(async () => (await waiting()) === 2, { actual: waiting });
  } finally {
    await database.query('COMMIT');
    await database.end();
  }
  for (const status of await Promise.all(calls)) expect(statuses).toContain(status);
});

it('lists the sessions of the account only, newest first', async () => {
  const [one, two] = [await first.logIn('bob', undefined, { 'User-Agent': 'some client' }), await first.logIn('bob')];
  await first.logIn('carol');
  const sessions = await list(one);
  expect(sessions.map(({ id, current }) => [id, current])).toEqual([
    [sessionOf(two), false],
    [sessionOf(one), true],
  ]);
  expect(sessions[1]).toMatchObject({ user_agent: 'some client', ip: '127.0.0.1' });
  const { iat = 0, exp = 0 } = decodeJwt(one);
  expect(Date.parse(sessions[1]?.expires_at ?? '')).toBe(exp * 1_000);
  expect(Math.abs(Date.parse(sessions[1]?.created_at ?? '') - iat * 1_000)).toBeLessThan(5_000);
});

it('lists sessions in pages of less than 128 KiB, each with a link to the next', async () => {
  service.devnet.createAccount('mallory');
  const token = await first.logIn('mallory');
  const database = new Client({ connectionString: service.database.url });
  await database.connect();
  // The longest row that a log-in can store: two bytes per character in JSON, and an IPv6 address.
  await database.query(
    `INSERT INTO session (id, account, proof, signing_key, user_agent, ip, expires_at)
     SELECT '01ARZ3NDEKTSV4RRFFQ6' || lpad(n::text, 6, '0'), 'mallory', sha256(n::text::bytea), '', repeat($1, 512), $2,
            now() + interval '1 day'
     FROM generate_series(1, 999) n`,
    ['\u00ff', 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255'],
  );
  await database.end();
  const newest = await other.get(sessionsPath, bearer(token));
  const text = await newest.clone().text();
  expect(Buffer.byteLength(text)).toBeLessThan(128 * 1024);
  const nextOf = ({ headers }: Response) => /^<([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
  const responses = [newest];
  for (let next = nextOf(newest); next !== undefined; next = nextOf(responses.at(-1) ?? newest))
    responses.push(await other.get(next, bearer(token)));
  const pages = responses.map((response) => jsonOf(response, z.array(videoSession)));
  const ids = (await Promise.all(pages)).map((page) => page.map(({ id }) => id));
  expect(ids.map(({ length }) => length)).toEqual(Array<number>(10).fill(100));
  expect(ids.flat()).toEqual([...new Set(ids.flat())].sort().toReversed());
  expect((await other.get(`${sessionsPath}?cursor=x`, bearer(token))).status).toBe(400);
});

it('truncates the name of a client', async () => {
  const token = await first.logIn('judy', undefined, { 'User-Agent': 'x'.repeat(5_000) });
  expect((await list(token)).map((session) => session.user_agent)).toEqual(['x'.repeat(512)]);
});

it('has no address if the proxy forwards an invalid one', async () => {
  const behindProxy = await service.addInstance({ trustedProxies: ['127.0.0.1'] });
  const logInFrom = (address: string) => behindProxy.logIn('judy', undefined, { 'X-Forwarded-For': address });
  const token = await logInFrom('[2001:db8::1]:49152');
  await logInFrom('x'.repeat(10_000));
  const [latest, former] = await list(token);
  expect([latest?.ip, former?.ip]).toEqual([null, '2001:db8::1']);
});

it('ends at all instances when it is revoked, without affecting others', async () => {
  const [mine, stolen] = [await first.logIn('dave'), await first.logIn('dave')];
  expect((await end(mine, sessionOf(stolen))).status).toBe(204);
  expect(await Promise.all([other.isGood(stolen), other.isGood(mine)])).toEqual([false, true]);
  expect((await list(mine)).map(({ id }) => id)).toEqual([sessionOf(mine)]);
  // A revoked token has no rights.
  expect((await end(stolen, sessionOf(mine))).status).toBe(401);
  expect((await first.get(sessionsPath, bearer(stolen))).status).toBe(401);
  expect((await logOut(stolen)).status).toBe(401);
});

it('is not revoked by another account, nor twice', async () => {
  const [erin, frank] = [await first.logIn('erin'), await first.logIn('frank')];
  for (const id of [sessionOf(erin), 'none', encodeURIComponent("' OR 1=1--")]) {
    expect(await errorOf(await end(frank, id))).toMatchObject({ statusCode: 404, errorType: 'NOT_FOUND' });
  }
  for (const id of ['%00', 'x'.repeat(65)]) {
    expect(await errorOf(await end(frank, id))).toMatchObject({
      statusCode: 400,
      errorType: 'INVALID_REQUEST',
      message: expect.stringMatching(/^id: /),
    });
  }
  expect(await first.isGood(erin)).toBe(true);
  const second = await first.logIn('frank');
  expect((await end(frank, sessionOf(second))).status).toBe(204);
  expect((await end(frank, sessionOf(second))).status).toBe(404);
});

it('can revoke itself', async () => {
  const token = await first.logIn('grace');
  expect((await end(token, sessionOf(token))).status).toBe(204);
  expect(await other.isGood(token)).toBe(false);
});

it('ends on log-out, which succeeds once', async () => {
  const [one, two] = [await first.logIn('heidi'), await first.logIn('heidi')];
  const response = await logOut(one);
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(await Promise.all([other.isGood(one), other.isGood(two)])).toEqual([false, true]);
  expect(await errorOf(await logOut(one))).toMatchObject({ statusCode: 401, errorType: 'UNAUTHENTICATED' });
});

it('deletes all sessions of earlier days, regardless of the clock of an instance', async () => {
  const token = await first.logIn('ivan');
  const client = new Client({ connectionString: service.database.url });
  await client.connect();
  const idsOfIvan = async () => {
    const { rows } = await client.query<{ id: string }>(`SELECT id FROM session WHERE account = 'ivan'`);
    return rows.map(({ id }) => id);
  };
  try {
    await client.query(`
      INSERT INTO session (id, account, proof, signing_key, expires_at) VALUES
        ('old', 'ivan', 'old', '', now() - interval '25 hours'), ('expired', 'ivan', 'expired', '', now() - interval '23 hours')`);
    // More than one statement can delete.
    await client.query(`
      INSERT INTO session (id, account, proof, signing_key, expires_at)
      SELECT 'old-' || n, 'ivan', n::text::bytea, '', now() - interval '26 hours' FROM generate_series(1, 10000) n`);
    // An instance deletes at its start and every hour. By the clock of this one all sessions are expired.
    jest.useFakeTimers({ now: Date.now() + 30 * 24 * 60 * 60 * 1_000, doNotFake: allButDate });
    await service.addInstance();
    await until(async () => !(await idsOfIvan()).some((id) => id.startsWith('old')));
    jest.useRealTimers();
    expect((await idsOfIvan()).toSorted()).toEqual([sessionOf(token), 'expired'].toSorted());
    expect(await list(token)).toHaveLength(1);
  } finally {
    jest.useRealTimers();
    await client.end();
  }
});

describe('the writer of sessions', () => {
  let pools: [Pool, Pool];
  beforeAll(() => {
    const connectionString = service.database.url;
    pools = [new Pool({ connectionString }), new Pool({ connectionString })];
  });
  afterAll(() => Promise.all(pools.map((pool) => pool.end())));

  const newSession = (text: string): NewSession => {
    const proof = createHash('sha256').update(text).digest();
    const expiresAt = new Date(Date.now() + 60_000);
    return { id: randomUUID(), account: 'twins', proof, signingKey: proof, userAgent: null, ip: null, expiresAt };
  };
  const storeAll = (pool: Pool, texts: readonly string[]): Promise<boolean[]> => {
    const writer = new SessionWriter(pool);
    return Promise.all(texts.map((text) => writer.add(newSession(text))));
  };

  it('creates one session per proof, even if instances store the same proofs in opposite orders', async () => {
    const [one, other] = pools;
    for (let round = 0; round < 10; round += 1) {
      const texts = Array.from({ length: 400 }, (_, i) => `${round} ${i}`);
      const stored = await Promise.all([storeAll(one, texts), storeAll(other, texts.toReversed())]);
      expect(stored.flat().filter(Boolean)).toHaveLength(texts.length);
    }
  });

  it('keeps only the first of two concurrent sessions for the same proof', async () => {
    expect(await storeAll(pools[0], ['twice', 'twice'])).toEqual([true, false]);
  });
});
