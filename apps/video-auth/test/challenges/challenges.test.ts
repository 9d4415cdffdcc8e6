import { challenge, type Challenge } from '@waggle/contracts';
import { until } from '@waggle/testing';
import {
  authPath,
  errorOf,
  freshTs,
  jsonOf,
  loginBody,
  loginPath,
  loginWith,
  postingKey,
} from '../support/video-auth-client';
import { freshDatabase, VideoAuthUnderTest, type VideoAuthInstance } from '../support/video-auth-under-test';

/** `RUNS=1000 npx jest test/challenges`: the long form of the race at instances that share Redis. */
const rounds = Number(process.env['RUNS'] ?? 20);
jest.setTimeout(300_000 + rounds * 200);

const seedNames = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'];

let service: VideoAuthUnderTest;
let sharing: VideoAuthUnderTest;
beforeAll(async () => {
  [service, sharing] = await Promise.all([VideoAuthUnderTest.start(), VideoAuthUnderTest.startWithRedis()]);
});
afterAll(() => Promise.all([service.stop(), sharing.stop()]));

const path = `${authPath}/challenge`;
const invalidChallenge = { statusCode: 401, code: 'invalid-challenge', errorType: 'INVALID_CHALLENGE' };

async function issue(account: string, instance: VideoAuthInstance = service.instance): Promise<Challenge> {
  return jsonOf(await instance.post(path, { username: account, network: 'hive' }), challenge, 201);
}

describe('a challenge', () => {
  it('is a text with a nonce and the domain, valid while its time is recent', async () => {
    const [one, two] = [await issue('alice'), await issue('alice')];
    const payload: unknown = JSON.parse(one.proof_payload);
    expect(payload).toEqual({
      account: 'alice',
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      nonce: expect.stringMatching(/^[\w-]{22}$/),
      domain: 'video.example',
    });
    expect(one.proof_payload).not.toBe(two.proof_payload);
    const leftMs = Date.parse(one.expires_at) - Date.now();
    expect(leftMs).toBeGreaterThan(240_000);
    expect(leftMs).toBeLessThanOrEqual(300_000);
  });

  it('is rejected for an invalid account name or another network', async () => {
    const errorFor = async (body: unknown) => errorOf(await service.instance.post(path, body));
    expect(await errorFor({ username: 'Alice', network: 'hive' })).toMatchObject({ errorType: 'INVALID_REQUEST' });
    expect(await errorFor({ username: 'alice' })).toMatchObject({ errorType: 'INVALID_REQUEST' });
    expect(await errorFor({ username: 'alice', network: 'steem' })).toMatchObject({ errorType: 'UNSUPPORTED_NETWORK' });
  });

  it('is rejected for an account that does not exist', async () => {
    const body = { username: 'newcomer', network: 'hive' };
    expect(await errorOf(await service.instance.post(path, body))).toMatchObject({
      statusCode: 400,
      code: 'account-not-found',
      errorType: 'ACCOUNT_NOT_FOUND',
    });
  });

  it('is not issued while no node can confirm that the account exists', async () => {
    await service.devnet.node.kill();
    try {
      expect(await errorOf(await service.instance.post(path, { username: 'grace', network: 'hive' }))).toMatchObject({
        statusCode: 503,
        errorType: 'CHAIN_UNAVAILABLE',
      });
    } finally {
      await service.devnet.node.revive();
    }
    await issue('grace');
  });

  it.each([
    ['in the process', () => service.instance],
    ['in Redis', () => sharing.instance],
  ])('logs in once, remembered %s', async (_where, instanceOf) => {
    const instance = instanceOf();
    const { proof_payload: text } = await issue('alice', instance);
    const body = loginWith('alice', text);
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await instance.post(loginPath, body)).status),
    );
    expect(statuses.toSorted()).toEqual([201, 401, 401, 401, 401]);
    expect(await instance.errorOfLogIn(body)).toMatchObject({ errorType: 'PROOF_REPLAYED' });
  });

  it('logs in at another instance that shares Redis', async () => {
    const other = await sharing.addInstance();
    const { proof_payload: text } = await issue('alice', other);
    await sharing.instance.logIn('alice', loginWith('alice', text));
  });

  it('is rejected with a nonce that was not issued, or after any change', async () => {
    const { proof_payload: text } = await issue('alice');
    const own = `{"account":"alice","ts":${freshTs()},"nonce":"AAAAAAAAAAAAAAAAAAAAAA"}`;
    const ofBob = text.replace('"alice"', '"bob"');
    for (const [account, changed] of [
      ['alice', own],
      ['alice', ` ${text}`],
      ['bob', ofBob],
    ] as const) {
      expect(await service.instance.errorOfLogIn(loginWith(account, changed))).toMatchObject(invalidChallenge);
    }
    // Failed attempts of others do not use it up.
    await service.instance.errorOfLogIn(loginWith('alice', text, postingKey('bob')));
    await service.instance.logIn('alice', loginWith('alice', text));
  });

  it.each([
    ['in the process', () => service],
    ['in Redis', () => sharing],
  ])('is rejected without a call to the chain if it was not issued, remembered %s', async (_where, serviceOf) => {
    const { instance, devnet } = serviceOf();
    const callsBefore = devnet.node.calls.get('database_api.find_accounts');
    const text = `{"account":"judy","ts":${freshTs()},"nonce":"AAAAAAAAAAAAAAAAAAAAAA"}`;
    expect(await instance.errorOfLogIn(loginWith('judy', text))).toMatchObject(invalidChallenge);
    const object: unknown = JSON.parse(text);
    const ofObject = { ...loginWith('judy', text), proof_payload: object };
    expect(await instance.errorOfLogIn(ofObject, '/api/v1/auth/login/singleton')).toMatchObject(invalidChallenge);
    expect(devnet.node.calls.get('database_api.find_accounts')).toBe(callsBefore);
  });

  it('expires when its time does', async () => {
    const strict = await service.addInstance({ login: { maxAgeMs: 50 } });
    const { proof_payload: text, expires_at } = await issue('alice', strict);
    await until(() => Date.now() > Date.parse(expires_at));
    expect(await strict.errorOfLogIn(loginWith('alice', text))).toMatchObject({ errorType: 'PROOF_EXPIRED' });
  });
});

describe('a signed text', () => {
  it('for another domain is rejected, with or without a nonce', async () => {
    const text = (domain: string) => `{"account":"alice","ts":${freshTs()},"domain":"${domain}"}`;
    expect(await service.instance.errorOfLogIn(loginWith('alice', text('evil.example')))).toMatchObject(
      invalidChallenge,
    );
    await service.instance.logIn('alice', loginWith('alice', text('video.example')));
  });

  it('without a challenge is rejected if the deployment requires one, and only then', async () => {
    const requiring = await service.addInstance({ challenges: { required: true } });
    expect(await requiring.errorOfLogIn(loginBody('alice'))).toMatchObject({
      statusCode: 400,
      code: 'challenge-required',
      errorType: 'CHALLENGE_REQUIRED',
    });
    const { proof_payload: text } = await issue('alice', requiring);
    await requiring.logIn('alice', loginWith('alice', text));
  });
});

describe('a proof that is used twice concurrently', () => {
  /** Sends the same proof to each instance at the same moment. */
  const sendToAll = async (instances: VideoAuthInstance[], body: object): Promise<string[]> => {
    const outcomes = instances.map(async (instance) => {
      const response = await instance.post(loginPath, body);
      return response.status === 201 ? 'token' : (await errorOf(response)).errorType;
    });
    return (await Promise.all(outcomes)).toSorted();
  };

  it(`yields exactly one token at two instances that share only Redis, ${rounds} times`, async () => {
    // So Redis decides, not the database.
    const another = await freshDatabase();
    try {
      const instances = [sharing.instance, await sharing.addInstance({ database: { url: another.url } })];
      for (let round = 0; round < rounds; round += 1) {
        const outcomes = await sendToAll(instances, loginBody(seedNames[round % seedNames.length] ?? ''));
        expect(outcomes).toEqual(['PROOF_REPLAYED', 'token']);
      }
    } finally {
      await another.drop();
    }
  });

  it('yields exactly one token at two instances that share only the database', async () => {
    const instances = [service.instance, await service.addInstance()];
    for (let round = 0; round < 20; round += 1) {
      expect(await sendToAll(instances, loginBody('alice'))).toEqual(['PROOF_REPLAYED', 'token']);
    }
  });
});
