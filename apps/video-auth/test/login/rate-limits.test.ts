import { Client, ResponseLimits } from '@waggle/service';
import { botHeaders, differencesFromReadme, documentedMetrics, siteAndBot } from '@waggle/testing';
import {
  authPath,
  errorOf,
  loginBody,
  loginPath,
  loginWith,
  payloadText,
  postingKey,
} from '../support/video-auth-client';
import { VideoAuthUnderTest, type ConfigChanges, type VideoAuthInstance } from '../support/video-auth-under-test';

let service: VideoAuthUnderTest;
beforeAll(async () => {
  service = await VideoAuthUnderTest.start();
});
afterAll(() => service.stop());

/** The header of a trusted proxy for a client at this address. */
const from = (address: string) => ({ 'X-Forwarded-For': address });
const [home, elsewhere] = [from('203.0.113.1'), from('203.0.113.2')];

/** An instance of one test: limits that are not shared over Redis apply to one instance. */
const start = (rateLimits: ConfigChanges['rateLimits'] = {}) =>
  service.addInstance({ trustedProxies: ['127.0.0.1'], rateLimits });

const wrong = (account: string) => loginWith(account, payloadText(account), postingKey('judy'));

async function statuses(instance: VideoAuthInstance, bodies: object[], headers: Record<string, string>) {
  const found: number[] = [];
  for (const body of bodies) found.push((await instance.post(loginPath, body, headers)).status);
  return found;
}

async function expectLimited(response: Response) {
  expect(response.headers.get('Retry-After')).toMatch(/^[1-9]\d?$/);
  expect(await errorOf(response)).toMatchObject({
    statusCode: 429,
    code: 'rate-limited',
    errorType: 'RATE_LIMITED',
  });
}

describe('log-ins', () => {
  it('to one account are limited per address, so that an attacker cannot lock the user out', async () => {
    const instance = await start({ accountLogins: 2 });
    const tries = [wrong('alice'), wrong('alice'), wrong('alice')];
    expect(await statuses(instance, tries, elsewhere)).toEqual([401, 401, 429]);
    // Valid and invalid log-ins are rejected alike, at every path.
    await expectLimited(await instance.post(loginPath, loginBody('alice'), elsewhere));
    await expectLimited(await instance.post(`${authPath}/login/singleton/hive`, loginBody('alice'), elsewhere));

    expect(await statuses(instance, [loginBody('alice')], home)).toEqual([201]);
    expect(await statuses(instance, [loginBody('bob')], elsewhere)).toEqual([201]);
  });

  it('are limited per address, over all accounts', async () => {
    const instance = await start({ logins: 3 });
    const tries = [loginBody('alice'), wrong('bob'), loginBody('carol'), loginBody('dave')];
    expect(await statuses(instance, tries, home)).toEqual([201, 401, 201, 429]);
    expect(await statuses(instance, [loginBody('dave')], elsewhere)).toEqual([201]);
  });

  it('that exceed the limit of an account do not count towards the limit of the address', async () => {
    const instance = await start({ accountLogins: 1, logins: 2 });
    const tries = [loginBody('alice'), loginBody('alice'), loginBody('alice'), loginBody('bob')];
    expect(await statuses(instance, tries, home)).toEqual([201, 429, 429, 201]);
  });

  it('are counted across all instances in Redis', async () => {
    const sharing = await VideoAuthUnderTest.startWithRedis({ rateLimits: { accountLogins: 1 } });
    try {
      const other = await sharing.addInstance({ rateLimits: { accountLogins: 1 } });
      const responses: Response[] = [];
      // More than one: if Redis once took too long, each instance counted for itself.
      for (const account of ['alice', 'bob', 'carol']) {
        await sharing.instance.logIn(account);
        responses.push(await other.post(loginPath, loginBody(account)));
      }
      const rejected = responses.filter(({ status }) => status !== 201);
      expect(rejected.length).toBeGreaterThan(0);
      for (const response of rejected) await expectLimited(response);
    } finally {
      await sharing.stop();
    }
  });
});

it('requests of an account are rejected at every address while it owes response bytes', async () => {
  const instance = await start();
  const [alice, bob] = [await instance.logIn('alice'), await instance.logIn('bob')];
  instance.provided(ResponseLimits).charge({ client: new Client('203.0.113.9'), account: 'alice' }, 30e9);
  const request = (token: string) =>
    instance.get(`${authPath}/sessions`, { ...home, Authorization: `Bearer ${token}` });
  await expectLimited(await request(alice));
  expect((await request(bob)).status).toBe(200);
});

it('limits are those of a named client, found by its address or token', async () => {
  const instance = await service.addInstance({
    trustedProxies: ['127.0.0.1'],
    rateLimits: { logins: 1 },
    namedClients: siteAndBot('logins-per-minute', '203.0.113.0/30'),
  });
  const bodies = ['alice', 'bob', 'carol', 'dave'].map((account) => loginBody(account));
  expect(await statuses(instance, bodies.slice(2), home)).toEqual([201, 201]);
  const asBot = { ...from('198.51.100.7'), ...botHeaders };
  expect(await statuses(instance, bodies.slice(0, 3), asBot)).toEqual([201, 201, 429]);
  expect(await statuses(instance, [loginBody('frank')], elsewhere)).toEqual([201]);
  const rejected = await instance.post(loginPath, loginBody('erin'), elsewhere);
  expect([rejected.status, await errorOf(rejected)]).toMatchObject([429, { limit: 'logins-per-minute' }]);
});

it('challenges are limited per address', async () => {
  const instance = await start({ logins: 1 });
  const request = (headers: Record<string, string>) =>
    instance.post(`${authPath}/challenge`, { username: 'alice', network: 'hive' }, headers);
  expect((await request(home)).status).toBe(201);
  await expectLimited(await request(home));
  expect((await request(elsewhere)).status).toBe(201);
});

it('requests are limited per address; checks have their own limit, health checks and metrics none', async () => {
  const instance = await start({ requests: 2, checks: 3 });
  const token = await instance.logIn('erin', undefined, elsewhere);
  const headers = { ...home, Authorization: `Bearer ${token}` };
  const list = () => instance.get(`${authPath}/sessions`, headers);
  expect([(await list()).status, (await list()).status]).toEqual([200, 200]);
  await expectLimited(await list());
  const check = () => instance.post(`${authPath}/check`, undefined, headers);
  for (let n = 0; n < 3; n += 1) expect((await check()).status).toBe(200);
  await expectLimited(await check());
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    expect((await instance.get(path, home)).status).toBe(200);
  }
  const metrics = await (await instance.get('/metrics', home)).text();
  expect(differencesFromReadme(metrics, documentedMetrics('video-auth'), 'API')).toEqual([]);
});
