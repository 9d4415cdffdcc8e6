import { challenge } from '@waggle/contracts';
import { startPostgres, startRedis, type PostgresServer, type RedisServer, until } from '@waggle/testing';
import { migrate } from '../../src/database';
import { RedisProxy } from './redis-proxy';
import { authPath, bearer, errorOf, jsonOf, loginBody, loginPath, loginWith } from '../support/video-auth-client';
import { type VideoAuthInstance, VideoAuthUnderTest } from '../support/video-auth-under-test';

const unavailable = { statusCode: 503, code: 'unavailable', errorType: 'UNAVAILABLE' };

async function expectUnavailable(response: Response) {
  expect(response.headers.get('Retry-After')).toBe('1');
  const error = await errorOf(response);
  expect(error).toMatchObject(unavailable);
  expect(error.message).not.toMatch(/127\.0\.0\.1|ECONN|redis:|postgres:/);
}

async function challengeFor(account: string, instance: VideoAuthInstance): Promise<string> {
  const response = await instance.post(`${authPath}/challenge`, { username: account, network: 'hive' });
  return (await jsonOf(response, challenge, 201)).proof_payload;
}

describe('while the database is unavailable', () => {
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

  it('log-ins and checks fail with 503 without using up proof or challenge, and recover afterwards', async () => {
    const { instance } = service;
    const token = await instance.logIn('alice');
    const body = loginBody('alice');
    const challenged = loginWith('alice', await challengeFor('alice', instance));
    expect((await instance.get('/health/ready')).status).toBe(200);
    await postgres.kill();
    await expectUnavailable(await instance.post(loginPath, body));
    await expectUnavailable(await instance.post(loginPath, challenged));
    await expectUnavailable(await instance.check(token));
    await expectUnavailable(await instance.get(`${authPath}/sessions`, bearer(token)));
    // An instance that is not ready would get no requests, as all others.
    const ready = await instance.get('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([200, { ready: true, checks: { database: 'down' } }]);
    expect((await instance.get('/health/live')).status).toBe(200);
    const metrics = await (await instance.get('/metrics')).text();
    expect(metrics.match(/^video_auth_logins_total.*/gm)).toEqual([
      'video_auth_logins_total{outcome="ok"} 1',
      'video_auth_logins_total{outcome="unavailable"} 2',
    ]);
    // Verification by JWKS continues.
    expect((await instance.get('/.well-known/jwks.json')).status).toBe(200);

    await postgres.start();
    await until(async () => (await instance.check(token)).status === 200);
    await instance.logIn('alice', body);
    await instance.logIn('alice', challenged);
    expect(await instance.errorOfLogIn(challenged)).toMatchObject({ errorType: 'PROOF_REPLAYED' });
  });
});

describe('while Redis is unavailable', () => {
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

  it('log-ins fail while tokens stay valid, and recover afterwards', async () => {
    const { instance } = service;
    const used = loginBody('alice');
    const token = await instance.logIn('alice', used);
    const body = loginBody('alice');
    expect((await instance.get('/health/ready')).status).toBe(200);
    await redis.kill();
    await expectUnavailable(await instance.post(loginPath, body));
    await expectUnavailable(await instance.post(`${authPath}/challenge`, { username: 'alice', network: 'hive' }));
    const ready = await instance.get('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([200, { ready: true, checks: { redis: 'down' } }]);
    expect(await instance.isGood(token)).toBe(true);

    await redis.start();
    await until(async () => (await instance.post(loginPath, body)).status === 201);
    // Redis lost its data, but the database has the proof.
    expect(await instance.errorOfLogIn(used)).toMatchObject({ errorType: 'PROOF_REPLAYED' });
  });
});

it('a log-in that fails on a late reply of Redis uses up neither proof nor challenge', async () => {
  const redis = await startRedis();
  const proxy = await RedisProxy.to(redis.url);
  const service = await VideoAuthUnderTest.startWithRedis({}, proxy.url);
  try {
    const { instance } = service;
    for (const command of ['proof:', 'challenge:']) {
      const body = loginWith('alice', await challengeFor('alice', instance));
      proxy.holdRepliesFrom(command);
      await expectUnavailable(await instance.post(loginPath, body));
      proxy.release();
      await until(async () => (await instance.post(loginPath, body)).status === 201);
      expect(await instance.errorOfLogIn(body)).toMatchObject({ errorType: 'PROOF_REPLAYED' });
    }
  } finally {
    await service.stop();
    await proxy.close();
    await redis.stop();
  }
});
