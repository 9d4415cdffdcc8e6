import { Devnet, devnetKeys } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { Client } from 'pg';
import { authPath, bearer, errorOf, loginWith, payloadText, postingKey } from '../support/video-auth-client';
import { VideoAuthUnderTest, type ConfigChanges } from '../support/video-auth-under-test';

let service: VideoAuthUnderTest;
let database: Client;

/** Authorities are not cached; keys are checked every five minutes, and may stay unconfirmed for an hour. */
const settings: ConfigChanges = {
  hive: { authorityCacheMs: 1 },
  keyChecks: { confirmationMs: 300_000, graceMs: 3_600_000 },
};

beforeAll(async () => {
  service = await VideoAuthUnderTest.start(settings);
  database = new Client({ connectionString: service.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});

/** Dates the last successful key check of the account back. */
async function lastConfirmed(account: string, minutesAgo: number): Promise<void> {
  await database.query(`UPDATE session SET key_confirmed_at = now() - make_interval(mins => $2) WHERE account = $1`, [
    account,
    minutesAgo,
  ]);
}

const nodeCalls = () => service.devnet.node.calls.get('database_api.find_accounts') ?? 0;
const isGood = (token: string) => service.instance.isGood(token);
const newKey = (account: string) => devnetKeys(`new-${account}`).posting;

it('reads keys from the chain every few minutes, not on every token check', async () => {
  const token = await service.instance.logIn('alice');
  const before = nodeCalls();
  await lastConfirmed('alice', 4);
  expect(await isGood(token)).toBe(true);
  expect(nodeCalls()).toBe(before);
  await lastConfirmed('alice', 6);
  expect([await isGood(token), await isGood(token)]).toEqual([true, true]);
  expect(nodeCalls()).toBe(before + 1);
});

it('shares one key check among concurrent checks of a token', async () => {
  const instance = await service.addInstance(settings);
  const token = await instance.logIn('grace');
  await lastConfirmed('grace', 6);
  service.devnet.node.misbehave({ slowMs: 500 });
  const checks = Array.from({ length: 50 }, () => instance.isGood(token));
  expect(await Promise.all(checks)).toEqual(Array<boolean>(50).fill(true));
  service.devnet.node.behave();
  const metrics = await (await instance.get('/metrics')).text();
  const [, count] = /^video_auth_key_checks_total\{result="suffices"\} (\d+)$/m.exec(metrics) ?? [];
  // Those that read the session just before the result was stored check again.
  expect(Number(count)).toBeLessThanOrEqual(5);
});

it('ends the sessions of a replaced key at the next key check, and keeps those of the new key', async () => {
  const old = await service.instance.logIn('bob');
  service.devnet.changeKey('bob', 'posting', newKey('bob').publicKey);
  const fresh = await service.instance.logIn('bob', loginWith('bob', payloadText('bob'), newKey('bob').wif));
  expect(await isGood(old)).toBe(true);

  await lastConfirmed('bob', 6);
  expect(await errorOf(await service.instance.check(old))).toMatchObject({ statusCode: 401, code: 'unauthenticated' });
  expect(await isGood(fresh)).toBe(true);
  // An ended session does not revive when the old key returns.
  service.devnet.changeKey('bob', 'posting', devnetKeys('bob').posting.publicKey);
  await lastConfirmed('bob', 0);
  expect(await isGood(old)).toBe(false);
});

it('checks the key for every call with the token', async () => {
  const token = await service.instance.logIn('carol');
  service.devnet.changeKey('carol', 'posting', newKey('carol').publicKey);
  await lastConfirmed('carol', 6);
  expect((await service.instance.get(`${authPath}/sessions`, bearer(token))).status).toBe(401);
});

it('ends a session whose key has lost its weight', async () => {
  const token = await service.instance.logIn('dave');
  const { publicKey } = devnetKeys('dave').posting;
  const weighing = (weight: number) => ({
    weight_threshold: 2,
    account_auths: [],
    key_auths: [[publicKey, weight] as const],
  });
  service.devnet.setAuthority('dave', 'posting', weighing(2));
  await lastConfirmed('dave', 6);
  expect(await isGood(token)).toBe(true);
  service.devnet.setAuthority('dave', 'posting', weighing(1));
  await lastConfirmed('dave', 6);
  expect(await isGood(token)).toBe(false);
});

it('accepts the key of an account that signs for another', async () => {
  const trusting = await service.addInstance({ ...settings, hive: { ...settings.hive, trustedAccounts: ['judy'] } });
  const authority = (signer: string) => ({
    weight_threshold: 1,
    account_auths: [[signer, 1] as const],
    key_auths: [],
  });
  service.devnet.setAuthority('ivan', 'posting', authority('judy'));
  const token = await trusting.logIn('ivan', loginWith('ivan', payloadText('ivan'), postingKey('judy')));
  await lastConfirmed('ivan', 6);
  expect(await trusting.isGood(token)).toBe(true);
  service.devnet.setAuthority('ivan', 'posting', authority('heidi'));
  await lastConfirmed('ivan', 6);
  expect(await trusting.isGood(token)).toBe(false);
});

it('treats an account that the node does not know like an unavailable node, and keeps the session', async () => {
  service.devnet.createAccount('newcomer');
  const token = await service.instance.logIn('newcomer');
  const farBehind = await Devnet.start();
  try {
    const misled = await service.addInstance({ ...settings, hive: { ...settings.hive, nodes: [farBehind.url] } });
    await lastConfirmed('newcomer', 6);
    expect(await misled.isGood(token)).toBe(true);
    await lastConfirmed('newcomer', 66);
    expect(await errorOf(await misled.check(token))).toMatchObject({ statusCode: 503, code: 'chain-unavailable' });
    expect(await isGood(token)).toBe(true);
  } finally {
    await farBehind.stop();
  }
});

describe('while no node responds', () => {
  afterEach(async () => {
    service.devnet.node.behave();
    await service.devnet.node.revive();
  });

  it('delays other checks of the token by at most one key check', async () => {
    /** Whether a check that starts during a key check of the same token ends before it. */
    const overtakes = async () => {
      const instance = await service.addInstance(settings);
      const token = await instance.logIn('heidi');
      await lastConfirmed('heidi', 6);
      const callsBefore = nodeCalls();
      service.devnet.node.misbehave({ hangs: true });
      const waiting = [instance.isGood(token), instance.isGood(token)];
      await until(() => nodeCalls() > callsBefore);
      await lastConfirmed('heidi', 0);
      const first = await Promise.race([instance.isGood(token).then(() => 'later'), ...waiting]);
      service.devnet.node.behave();
      await Promise.all(waiting);
      return first === 'later';
    };
    // A busy machine may stop for the four seconds that a key check waits.
    expect((await overtakes()) || (await overtakes())).toBe(true);
  });

  it('keeps a session within the grace period, then rejects it without ending it, and allows log-out', async () => {
    // A new instance, since one whose key check failed does not repeat it at once.
    const instance = await service.addInstance(settings);
    const [token, another] = [await instance.logIn('erin'), await instance.logIn('erin')];
    await service.devnet.node.kill();
    await lastConfirmed('erin', 64);
    expect(await instance.isGood(token)).toBe(true);
    await lastConfirmed('erin', 66);
    const response = await instance.check(token);
    expect(response.headers.get('Retry-After')).toMatch(/^[1-9]$/);
    expect(await errorOf(response)).toMatchObject({
      statusCode: 503,
      code: 'chain-unavailable',
      errorType: 'CHAIN_UNAVAILABLE',
    });
    expect((await instance.post(`${authPath}/logout`, undefined, bearer(another))).status).toBe(204);

    await service.devnet.node.revive();
    const later = await service.addInstance(settings);
    expect(await later.isGood(token)).toBe(true);
    expect(await later.isGood(another)).toBe(false);
  });

  it('waits briefly for a node that hangs, and then skips key checks for a while', async () => {
    const instance = await service.addInstance(settings);
    const token = await instance.logIn('frank');
    await lastConfirmed('frank', 6);
    service.devnet.node.misbehave({ slowMs: 4_500 });
    const startMs = performance.now();
    expect(await instance.isGood(token)).toBe(true);
    const firstMs = performance.now() - startMs;
    expect(firstMs).toBeGreaterThan(3_900);
    const before = nodeCalls();
    for (let n = 0; n < 20; n += 1) expect(await instance.isGood(token)).toBe(true);
    // Each check would have waited for four seconds.
    expect(performance.now() - startMs - firstMs).toBeLessThan(10_000);
    expect(nodeCalls()).toBe(before);
  });

  it('rejects log-ins as unavailable, not as a wrong signature', async () => {
    await service.devnet.node.kill();
    const text = payloadText('grace');
    const body = loginWith('grace', text);
    const response = await service.instance.post(`${authPath}/login_singleton`, body);
    expect(response.headers.get('Retry-After')).toMatch(/^[1-9]$/);
    expect(await errorOf(response)).toMatchObject({
      statusCode: 503,
      code: 'chain-unavailable',
      errorType: 'CHAIN_UNAVAILABLE',
    });
    // The proof was not used up.
    await service.devnet.node.revive();
    await service.instance.logIn('grace', body);
  });
});
