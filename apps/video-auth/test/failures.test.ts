import { challenge } from '@waggle/contracts';
import { startPostgres, startRedis, type PostgresServer, type RedisServer, until } from '@waggle/testing';
import { migrate } from '../src/database';
import { authPath, bearer, errorOf, jsonOf, loginBody, loginPath, loginWith } from './video-auth-client';
import { VideoAuthUnderTest } from './video-auth-under-test';

const unavailable = { statusCode: 503, code: 'unavailable', errorType: 'UNAVAILABLE' };

async function expectUnavailable(response: Response) {
  expect(response.headers.get('Retry-After')).toBe('1');
  const error = await errorOf(response);
  expect(error).toMatchObject(unavailable);
  expect(error.message).not.toMatch(/127\.0\.0\.1|ECONN|redis:|postgres:/);
}

describe('while the database is away', () => {
  let postgres: PostgresServer;
  let service: VideoAuthUnderTest;
  beforeAll(async () => {
    postgres = await startPostgres({ dataDir: 'temporary' });
    await migrate(postgres.url());
    service = await VideoAuthUnderTest.start({ database: { url: postgres.url() } });
  });
  afterAll(async () => {
    await service.stop();
    await postgres.stop();
  });

  it('log-ins and checks fail with 503, proof and challenge are not used up, and all works again afterwards', async () => {
    const { instance } = service;
    const token = await instance.logIn('alice');
    const body = loginBody('alice');
    const { proof_payload: text } = await jsonOf(
      await instance.post(`${authPath}/challenge`, { username: 'alice', network: 'hive' }),
      challenge,
      201,
    );
    const challenged = loginWith('alice', text);
    await postgres.kill();
    await expectUnavailable(await instance.post(loginPath, body));
    await expectUnavailable(await instance.post(loginPath, challenged));
    await expectUnavailable(await instance.check(token));
    await expectUnavailable(await instance.get(`${authPath}/sessions`, bearer(token)));
    expect((await instance.get('/health/ready')).status).toBe(503);
    expect((await instance.get('/health/live')).status).toBe(200);
    const metrics = await (await instance.get('/metrics')).text();
    expect(metrics.match(/^video_auth_logins_total.*/gm)).toEqual([
      'video_auth_logins_total{outcome="ok"} 1',
      'video_auth_logins_total{outcome="unavailable"} 2',
    ]);
    // Verification by JWKS continues.
    expect((await instance.get('/.well-known/jwks.json')).status).toBe(200);

    await postgres.start();
    await until(async () => (await instance.get('/health/ready')).status === 200);
    expect(await instance.isGood(token)).toBe(true);
    await instance.logIn('alice', body);
    await instance.logIn('alice', challenged);
    expect(await instance.errorOfLogIn(challenged)).toMatchObject({ errorType: 'PROOF_REPLAYED' });
  });
});

describe('while Redis is away', () => {
  let redis: RedisServer;
  let service: VideoAuthUnderTest;
  beforeAll(async () => {
    redis = await startRedis();
    service = await VideoAuthUnderTest.startWithRedis({}, redis.url);
  });
  afterAll(async () => {
    await service.stop();
    await redis.stop();
  });

  it('log-ins fail, tokens stay valid, and all works again afterwards', async () => {
    const { instance } = service;
    const used = loginBody('alice');
    const token = await instance.logIn('alice', used);
    const body = loginBody('alice');
    await redis.kill();
    await expectUnavailable(await instance.post(loginPath, body));
    await expectUnavailable(await instance.post(`${authPath}/challenge`, { username: 'alice', network: 'hive' }));
    expect((await instance.get('/health/ready')).status).toBe(503);
    expect(await instance.isGood(token)).toBe(true);

    await redis.start();
    await until(async () => (await instance.get('/health/ready')).status === 200);
    await instance.logIn('alice', body);
    // Redis lost its data, but the database has the proof.
    expect(await instance.errorOfLogIn(used)).toMatchObject({ errorType: 'PROOF_REPLAYED' });
  });
});

it('a proof that was used before a restart is rejected after it, also without Redis', async () => {
  const service = await VideoAuthUnderTest.start();
  try {
    const body = loginBody('bob');
    await service.instance.logIn('bob', body);
    const restarted = await service.addInstance();
    expect(await restarted.errorOfLogIn(body)).toMatchObject({ errorType: 'PROOF_REPLAYED' });
  } finally {
    await service.stop();
  }
});
