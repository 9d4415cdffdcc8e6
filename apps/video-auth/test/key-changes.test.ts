import { Devnet, devnetKeys } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { Client } from 'pg';
import { authPath, bearer, errorOf, loginWith, payloadText, postingKey } from './video-auth-client';
import { VideoAuthUnderTest, type ConfigChanges } from './video-auth-under-test';

let service: VideoAuthUnderTest;
let database: Client;

/** Nothing is remembered of the chain; the key is asked for again after five minutes, and may go unconfirmed for an hour. */
const settings: ConfigChanges = {
  hive: { authorityCacheMs: 1 },
  keyChecks: { everyMs: 300_000, graceMs: 3_600_000 },
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

/** As if the chain had last said so long ago that the keys of the account suffice. */
async function lastConfirmed(account: string, minutesAgo: number): Promise<void> {
  await database.query(`UPDATE session SET key_confirmed_at = now() - make_interval(mins => $2) WHERE account = $1`, [
    account,
    minutesAgo,
  ]);
}

const asked = () => service.devnet.node.calls.get('database_api.find_accounts') ?? 0;
const isGood = (token: string) => service.instance.isGood(token);
const newKey = (account: string) => devnetKeys(`new-${account}`).posting;

it('is not asked of the chain at every check, but after some minutes, and then not at once again', async () => {
  const token = await service.instance.logIn('alice');
  const before = asked();
  await lastConfirmed('alice', 4);
  expect(await isGood(token)).toBe(true);
  expect(asked()).toBe(before);
  await lastConfirmed('alice', 6);
  expect([await isGood(token), await isGood(token)]).toEqual([true, true]);
  expect(asked()).toBe(before + 1);
});

it('ends the sessions of a key that was changed, at the next question, and those of the new key go on', async () => {
  const old = await service.instance.logIn('bob');
  service.devnet.changeKey('bob', 'posting', newKey('bob').publicKey);
  const fresh = await service.instance.logIn('bob', loginWith('bob', payloadText('bob'), newKey('bob').wif));
  expect(await isGood(old)).toBe(true);

  await lastConfirmed('bob', 6);
  expect(await errorOf(await service.instance.check(old))).toMatchObject({ statusCode: 401, code: 'unauthenticated' });
  expect(await isGood(fresh)).toBe(true);
  // It has ended: that the old key comes back brings nothing back.
  service.devnet.changeKey('bob', 'posting', devnetKeys('bob').posting.publicKey);
  await lastConfirmed('bob', 0);
  expect(await isGood(old)).toBe(false);
});

it('holds for every call with the token, not only for the check', async () => {
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

it('knows the key of an account that signs for another', async () => {
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

it('keeps a session, as if nobody answered, while the node does not know the account: accounts do not vanish', async () => {
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

describe('while no node answers', () => {
  afterEach(async () => {
    service.devnet.node.behave();
    await service.devnet.node.revive();
  });

  it('holds up no other check of the token for longer than it has to ask', async () => {
    const instance = await service.addInstance(settings);
    const token = await instance.logIn('heidi');
    await lastConfirmed('heidi', 6);
    const askedBefore = asked();
    service.devnet.node.misbehave({ hangs: true });
    const waiting = [instance.isGood(token), instance.isGood(token)];
    await until(() => asked() > askedBefore);
    await lastConfirmed('heidi', 0);
    const first = await Promise.race([instance.isGood(token).then(() => 'later'), ...waiting]);
    expect(first).toBe('later');
    service.devnet.node.behave();
    await Promise.all(waiting);
  });

  it('keeps a session within the grace time, refuses it beyond without ending it, and log-out works', async () => {
    // Whose chain was not asked before: an instance that got no answer does not ask again at once.
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

  it('waits for a node that hangs for a moment, and then not again for a while', async () => {
    const instance = await service.addInstance(settings);
    const token = await instance.logIn('frank');
    await lastConfirmed('frank', 6);
    service.devnet.node.misbehave({ slowMs: 4_500 });
    const startMs = performance.now();
    expect(await instance.isGood(token)).toBe(true);
    const firstMs = performance.now() - startMs;
    expect(firstMs).toBeGreaterThan(1_900);
    const before = asked();
    for (let n = 0; n < 20; n += 1) expect(await instance.isGood(token)).toBe(true);
    // Each would have waited for two seconds.
    expect(performance.now() - startMs - firstMs).toBeLessThan(10_000);
    expect(asked()).toBe(before);
  });

  it('is reported at log-in as unavailable, never as a wrong signature', async () => {
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
