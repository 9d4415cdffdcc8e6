import { createHash } from 'node:crypto';
import { PrivateKey } from '@hiveio/dhive';
import { secp256k1 } from '@noble/curves/secp256k1';
import { videoLogin } from '@waggle/contracts';
import { devnetKeys, secretOf, signByHiveJs } from '@waggle/devnet';
import { exampleIn } from '@waggle/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { z } from 'zod';
import {
  authPath,
  errorOf,
  freshTs,
  jsonOf,
  loginBody,
  loginPath,
  loginWith,
  payloadText,
  postingKey,
  sign,
} from '../support/video-auth-client';
import { VideoAuthUnderTest } from '../support/video-auth-under-test';

let service: VideoAuthUnderTest;
beforeAll(async () => {
  service = await VideoAuthUnderTest.start();
});
afterAll(() => service.stop());

const errorOfLogIn = (body: unknown, path?: string) => service.instance.errorOfLogIn(body, path);
const sha256 = (text: string) => createHash('sha256').update(text).digest();

function signByNoble(text: string, wif: string): string {
  const signature = secp256k1.sign(sha256(text), secretOf(wif));
  return Buffer.of(31 + signature.recovery, ...signature.toBytes('compact')).toString('hex');
}

describe('a log-in as documented', () => {
  it('works as the README shows', async () => {
    const [request = '', response = ''] = exampleIn('apps/video-auth/README.md', 'Log in').split('\n\n');
    const [head = '', ...lines] = request.split('\n');
    expect(head).toBe(`POST ${loginPath}`);
    const shown = z.record(z.string(), z.string()).parse(JSON.parse(lines.join('')));
    // The time of the example is past, so a current one is signed.
    const text = (shown['proof_payload'] ?? '').replace('2026-01-01T00:00:00.000Z', new Date().toISOString());
    const proof = signByHiveJs(text, postingKey('alice'));
    const received = await service.instance.post(loginPath, { ...shown, proof_payload: text, proof });
    const [status, body = ''] = response.trim().split(/ (.*)/);
    const { access_token: token, ...others } = z.record(z.string(), z.string()).parse(await received.json());
    expect(String(received.status)).toBe(status);
    expect(others).toEqual({});
    expect(token?.startsWith('eyJ')).toBe(true);
    expect(JSON.parse(body)).toEqual({ access_token: 'eyJ…' });
  });

  it.each([
    ['hive-js', signByHiveJs],
    ['dhive', (text: string, wif: string) => PrivateKey.fromString(wif).sign(sha256(text)).toString()],
    ['noble', signByNoble],
  ])('signed by %s, returns a token that jose verifies with only the JWKS', async (_library, signer) => {
    const text = payloadText('alice');
    const response = await service.instance.post(loginPath, {
      username: 'alice',
      network: 'hive',
      authority_type: 'posting',
      proof_payload: text,
      proof: signer(text, postingKey('alice')),
    });
    const { access_token } = await jsonOf(response, videoLogin, 201);

    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', service.instance.url));
    const { payload, protectedHeader } = await jwtVerify(access_token, keys, {
      issuer: 'waggle-video-auth',
      audience: 'waggle-video',
      algorithms: ['ES256'],
    });
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) });
    expect(payload).toEqual({
      iss: 'waggle-video-auth',
      aud: 'waggle-video',
      sub: 'singleton/hive/alice',
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sid: expect.stringMatching(/^[0-9A-Z]{26}$/),
      iat: expect.any(Number),
      exp: expect.any(Number),
      type: 'singleton',
      username: 'alice',
      network: 'hive',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(7 * 24 * 60 * 60);
    expect(await service.instance.isGood(access_token)).toBe(true);
  });

  it('ignores additional fields in body and payload, and accepts a signature in upper-case hex', async () => {
    const text = JSON.stringify({ account: 'bob', ts: new Date(freshTs()).toISOString(), message: 'é 🐝' });
    const body = { ...loginWith('bob', text), app: 'some app' };
    expect(await service.instance.logIn('bob', { ...body, proof: body.proof.toUpperCase() })).toEqual(
      expect.any(String),
    );
  });

  it('verifies the text as received, including blanks and the order of keys', async () => {
    const text = ` { "ts" : "${new Date(freshTs()).toISOString()}" ,\n "account" : "bob" } `;
    await service.instance.logIn('bob', loginWith('bob', text));
    const same = JSON.stringify(JSON.parse(text));
    expect(await errorOfLogIn({ ...loginWith('bob', text), proof_payload: same })).toMatchObject({
      errorType: 'INVALID_SIGNATURE',
    });
  });
});

describe('the paths that existing clients use', () => {
  const aliases = [`${authPath}/login/singleton`, `${authPath}/login/singleton/hive`];

  it.each(aliases)('%s accepts what the documented one accepts', async (path) => {
    await jsonOf(await service.instance.post(path, loginBody('carol')), videoLogin, 201);
    expect(await errorOfLogIn(loginBody('carol', { username: 'bob' }), path)).toMatchObject({
      errorType: 'ACCOUNT_MISMATCH',
    });
  });

  it.each(aliases)('%s accepts a payload as an object, without name, network and authority', async (path) => {
    for (const payload of [
      { ts: freshTs(), account: 'carol' },
      { account: 'carol', ts: new Date(freshTs()).toISOString(), app: 'x', nested: null },
    ]) {
      const proof = sign(JSON.stringify(payload), postingKey('carol'));
      await jsonOf(await service.instance.post(path, { proof_payload: payload, proof }), videoLogin, 201);
      const { ts, account } = payload;
      const inOtherOrder = 'app' in payload ? { ts, account, app: 'x', nested: null } : { account, ts };
      expect(await errorOfLogIn({ proof_payload: inOtherOrder, proof }, path)).toMatchObject({
        errorType: 'INVALID_SIGNATURE',
      });
    }
  });

  it('reject a payload that is neither a text nor a flat object', async () => {
    for (const path of aliases) {
      for (const proof_payload of [[], 1, null, { account: 'carol', ts: freshTs(), deep: {} }]) {
        expect(await errorOfLogIn({ ...loginBody('carol'), proof_payload }, path)).toMatchObject({
          errorType: 'INVALID_REQUEST',
          reason: expect.stringContaining('proof_payload'),
        });
      }
    }
  });

  const keyed = (more: string) => `{"account":"carol","ts":${freshTs()},${more}}`;

  it.each([
    ['constructor, prototype and __proto__', '"constructor":"a","prototype":null,"__proto__":"b"'],
    ['numbers, in any order', '"10":1,"2":2,"-1":3'],
    ['numbers as JavaScript does not write them', '"a":123.0,"b":1e21,"c":-0,"d":9007199254740993,"e":1E-7'],
    ['escapes as JavaScript does not write them', '"a":"\\u00e9 \\/ \\u0041","\\u0062":"é"'],
  ])('verify an object exactly as received, with %s', async (_what, more) => {
    for (const path of aliases) {
      const text = keyed(more);
      const body = `{"proof_payload":${text},"proof":"${sign(text, postingKey('carol'))}"}`;
      await jsonOf(await service.instance.post(path, body), videoLogin, 201);
    }
  });

  it.each([
    ['compact', (text: string) => text, '"a":123.0,"b":"é\\/"'],
    ['spaced', (text: string) => text.replaceAll(',"', ', "').replaceAll('":', '": '), '"a":123.0,"b":"é\\/"'],
    ['compact, with the strings of JavaScript', (text: string) => text.replace('\\/', '/'), '"b":"é\\/"'],
    [
      'spaced, with the strings of Python',
      (text: string) => text.replaceAll(',"', ', "').replaceAll('":', '": ').replace('é', '\\u00e9'),
      '"b":"é"',
    ],
  ])('verify an object that was signed %s, regardless of the layout of the body', async (_what, signed, more) => {
    const text = keyed(more);
    const laidOut = text.replaceAll(',"', ',\n  "');
    const body = `{"proof":"${sign(signed(text), postingKey('carol'))}", "proof_payload" : ${laidOut} }`;
    await jsonOf(await service.instance.post(aliases[1] ?? '', body), videoLogin, 201);
    expect(await errorOfLogIn(body, aliases[1])).toMatchObject({ errorType: 'PROOF_REPLAYED' });
  });

  it('report which texts were tried if none of them was signed', async () => {
    const text = `{"account":"carol","ts":${freshTs()}}`;
    const body = `{"proof_payload":${text},"proof":"${sign(`${text} `, postingKey('carol'))}"}`;
    expect(await errorOfLogIn(body, aliases[1])).toMatchObject({
      errorType: 'INVALID_SIGNATURE',
      reason: expect.stringMatching(
        /verified as (\{"account":"carol","ts":\d+\}) and as \{"account": "carol", "ts": \d+\}$/,
      ),
    });
  });

  it('reject an object with a repeated key, and one that is too large', async () => {
    const ts = freshTs();
    const proof = sign(JSON.stringify({ account: 'bob', ts }), postingKey('bob'));
    const [, path] = aliases;
    const twice = `{"proof_payload":{"account":"alice","account":"bob","ts":${ts}},"proof":"${proof}"}`;
    expect(await errorOfLogIn(twice, path)).toMatchObject({ statusCode: 400, errorType: 'INVALID_REQUEST' });
    const large = { account: 'bob', ts, filling: 'x'.repeat(3_000) };
    expect(await errorOfLogIn({ proof_payload: large, proof }, path)).toMatchObject({ errorType: 'INVALID_REQUEST' });
    await jsonOf(
      await service.instance.post(path ?? '', { proof_payload: { account: 'bob', ts }, proof }),
      videoLogin,
      201,
    );
  });
});

const invalidSignature = { statusCode: 401, code: 'invalid-signature', errorType: 'INVALID_SIGNATURE' };
const invalidRequest = { statusCode: 400, code: 'invalid-request', errorType: 'INVALID_REQUEST' };
const proofExpired = { statusCode: 401, code: 'proof-expired', errorType: 'PROOF_EXPIRED' };

describe('a proof', () => {
  it.each([
    ['is not hex', () => loginBody('dave', { proof: 'zz'.repeat(65) })],
    ['is empty', () => loginBody('dave', { proof: '' })],
    ['is too short', () => loginBody('dave', { proof: loginBody('dave').proof.slice(0, -2) })],
    ['is too long', () => loginBody('dave', { proof: `${loginBody('dave').proof}00` })],
    ['is of zeros', () => loginBody('dave', { proof: '0'.repeat(130) })],
    ['is of another account’s key', () => loginWith('dave', payloadText('dave'), postingKey('erin'))],
    ['is of another text', () => loginBody('dave', { proof: sign(payloadText('dave'), postingKey('dave')) })],
    ['is of the owner key', () => loginWith('dave', payloadText('dave'), devnetKeys('dave').owner.wif)],
    ['is of the active key', () => loginWith('dave', payloadText('dave'), devnetKeys('dave').active.wif)],
    ['is of the memo key', () => loginWith('dave', payloadText('dave'), devnetKeys('dave').memo.wif)],
  ])('that %s is an invalid signature', async (_what, body) => {
    expect(await errorOfLogIn(body())).toMatchObject(invalidSignature);
  });

  it('of a key with too little weight is an invalid signature, but not of one with enough', async () => {
    const [light, heavy] = [devnetKeys('light-key').posting, devnetKeys('heavy-key').posting];
    service.devnet.setAuthority('erin', 'posting', {
      weight_threshold: 2,
      account_auths: [],
      key_auths: [
        [light.publicKey, 1],
        [heavy.publicKey, 2],
      ],
    });
    expect(await errorOfLogIn(loginWith('erin', payloadText('erin'), light.wif))).toMatchObject(invalidSignature);
    await service.instance.logIn('erin', loginWith('erin', payloadText('erin'), heavy.wif));
  });

  it('is valid once', async () => {
    const body = loginBody('dave');
    await service.instance.logIn('dave', body);
    expect(await errorOfLogIn(body)).toMatchObject({
      statusCode: 401,
      code: 'proof-replayed',
      errorType: 'PROOF_REPLAYED',
    });
  });

  it('that is invalid does not use up the text', async () => {
    const text = payloadText('dave');
    await errorOfLogIn(loginWith('dave', text, postingKey('erin')));
    await service.instance.logIn('dave', loginWith('dave', text));
  });
});

describe('a payload', () => {
  it.each([
    ['is not JSON', 'account=dave'],
    ['is empty', ''],
    ['is no object', '["dave"]'],
    ['is null', 'null'],
    ['has no account', `{"ts":"${new Date().toISOString()}"}`],
    ['has an account that is no text', `{"account":["dave"],"ts":"${new Date().toISOString()}"}`],
    ['has no ts', '{"account":"dave"}'],
    ['has a ts that is text', '{"account":"dave","ts":"now"}'],
    ['has a ts without a zone', '{"account":"dave","ts":"2026-01-01T00:00:00.000"}'],
    ['has milliseconds as text', `{"account":"dave","ts":"${Date.now()}"}`],
    ['has a ts that is null', '{"account":"dave","ts":null}'],
    ['has an infinite ts', '{"account":"dave","ts":1e999}'],
    ['has the account twice', `{"account":"erin","account":"dave","ts":"${new Date().toISOString()}"}`],
    ['has it twice in two spellings', `{"account":"erin","\\u0061ccount":"dave","ts":"${new Date().toISOString()}"}`],
    ['has the ts twice', `{"account":"dave","ts":1,"ts":"${new Date().toISOString()}"}`],
    ['is too long', `{"account":"dave","ts":"${new Date().toISOString()}","x":"${'x'.repeat(2_048)}"}`],
  ])('that %s is an invalid request, even with a valid signature', async (_what, text) => {
    expect(await errorOfLogIn(loginWith('dave', text))).toMatchObject({
      ...invalidRequest,
      message: expect.stringMatching(/^proof_payload: \S/),
    });
  });

  it('of another account than username is a mismatch, regardless of the signer', async () => {
    for (const signer of ['dave', 'erin']) {
      const body = { ...loginWith('dave', payloadText('dave'), postingKey(signer)), username: 'erin' };
      expect(await errorOfLogIn(body)).toMatchObject({
        statusCode: 400,
        code: 'account-mismatch',
        errorType: 'ACCOUNT_MISMATCH',
      });
    }
  });

  const at = (offsetMs: number) => new Date(Date.now() + offsetMs);
  const tooOld = 'ts is too old: the clock is slow, the request took too long, or ts is not in milliseconds';

  it.each([
    ['milliseconds', () => freshTs()],
    ['an ISO time without milliseconds', () => at(-7_000).toISOString().replace(/\.\d+/, '')],
    [
      'an ISO time in another zone',
      () =>
        at(2 * 3_600_000)
          .toISOString()
          .replace('Z', '+02:00'),
    ],
    ['nearly five minutes old', () => at(-290_000).toISOString()],
    ['nearly a minute ahead', () => at(50_000).toISOString()],
  ])('may have a ts that is %s', async (_what, ts) => {
    await service.instance.logIn('frank', loginWith('frank', payloadText('frank', ts())));
  });

  it.each([
    ['over five minutes old', () => at(-301_000).toISOString(), tooOld],
    ['the same in milliseconds', () => at(-301_000).getTime(), tooOld],
    [
      'over a minute ahead',
      () => at(61_000).toISOString(),
      'ts is in the future: the clock is fast, or ts is not in milliseconds',
    ],
    ['in seconds', () => Math.floor(Date.now() / 1_000), tooOld],
  ])('with a ts that is %s has expired', async (_what, ts, reason) => {
    expect(await errorOfLogIn(loginWith('frank', payloadText('frank', ts())))).toMatchObject({
      ...proofExpired,
      reason,
    });
  });
});

describe('a request', () => {
  it.each([
    ['username', undefined],
    ['username', 1],
    ['network', undefined],
    ['network', ['hive']],
    ['authority_type', undefined],
    ['authority_type', 'active'],
    ['authority_type', 'Posting'],
    ['proof_payload', undefined],
    ['proof_payload', { account: 'alice', ts: 1 }],
    ['proof', undefined],
    ['proof', null],
    ['proof', 'f'.repeat(1_000)],
  ])('with an invalid %s names the field (%#)', async (field, value) => {
    expect(await errorOfLogIn(loginBody('alice', { [field]: value }))).toMatchObject({
      ...invalidRequest,
      reason: expect.stringContaining(field),
    });
  });

  it.each(['steem', 'Hive', '', 'ethereum'])('for the network "%s" is unsupported', async (network) => {
    expect(await errorOfLogIn(loginBody('alice', { network }))).toMatchObject({
      statusCode: 400,
      code: 'unsupported-network',
      errorType: 'UNSUPPORTED_NETWORK',
    });
  });

  it.each(['nobody-here', 'Alice', 'a', 'no.such.account.at.all', 'al ice', ''])(
    'for the account "%s" fails because it does not exist',
    async (account) => {
      const body = loginWith(account, payloadText(account), postingKey('alice'));
      expect(await errorOfLogIn(body)).toMatchObject({
        statusCode: 400,
        code: 'account-not-found',
        errorType: 'ACCOUNT_NOT_FOUND',
      });
    },
  );

  it.each([
    ['is empty', ''],
    ['is not JSON', '{'],
    ['is no object', '[]'],
    ['has a key twice', JSON.stringify(loginBody('alice')).replace('{', '{"username":"bob",')],
  ])('whose body %s is invalid', async (_what, body) => {
    expect(await errorOfLogIn(body)).toMatchObject(invalidRequest);
  });

  it('of a megabyte is too large', async () => {
    const response = await service.instance.post(loginPath, loginBody('alice', { filling: 'x'.repeat(1_000_000) }));
    expect(await errorOf(response)).toMatchObject({ statusCode: 413, code: 'too-large', errorType: 'TOO_LARGE' });
  });

  it.each(['application/xml', 'text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded'])(
    'of the type %s is rejected',
    async (type) => {
      const response = await service.instance.post(loginPath, loginBody('alice'), { 'Content-Type': type });
      expect(await errorOf(response)).toMatchObject({ statusCode: 415, errorType: 'UNSUPPORTED_MEDIA_TYPE' });
    },
  );

  it('to an unknown path has the same error body', async () => {
    expect(await errorOfLogIn({}, `${authPath}/nowhere`)).toMatchObject({ statusCode: 404, errorType: 'NOT_FOUND' });
  });
});

it('accepts a new key immediately, and rejects the previous one', async () => {
  await service.instance.logIn('grace');
  const newKey = devnetKeys('new-key-of-grace').posting;
  service.devnet.changeKey('grace', 'posting', newKey.publicKey);
  await service.instance.logIn('grace', loginWith('grace', payloadText('grace'), newKey.wif));
  expect(await errorOfLogIn(loginBody('grace'))).toMatchObject(invalidSignature);
});

it('reads an account from the chain once for concurrent log-ins', async () => {
  const nodeCalls = () => service.devnet.node.calls.get('database_api.find_accounts') ?? 0;
  const before = nodeCalls();
  const sinceMs = performance.now();
  await Promise.all(Array.from({ length: 50 }, () => service.instance.logIn('heidi')));
  // What was read is used for 3 s. On a slow machine the log-ins take longer.
  const periods = Math.ceil((performance.now() - sinceMs) / 3_000);
  expect(nodeCalls() - before).toBeGreaterThan(0);
  expect(nodeCalls() - before).toBeLessThanOrEqual(periods);
});

it('rejects account responses of several megabytes', async () => {
  const { instance, devnet } = service;
  devnet.node.misbehave({ distort: (_call, result) => Object.assign({ padding: 'x'.repeat(4e6) }, result) });
  // Not read from the chain before.
  expect(await errorOfLogIn(loginBody('judy'))).toMatchObject({ errorType: 'CHAIN_UNAVAILABLE' });
  devnet.node.behave();
  await instance.logIn('judy');
});

it('logs no proof and no token', async () => {
  const body = loginBody('alice');
  const token = await service.instance.logIn('alice', body);
  await service.instance.check(token);
  await errorOfLogIn({ ...body, proof: `${body.proof.slice(0, -2)}zz` });
  await errorOfLogIn(body);
  const log = service.instance.logLines.join('');
  expect(log).toContain(loginPath);
  for (const secret of [body.proof, body.proof.slice(0, -2), token, JSON.stringify(body.proof_payload).slice(1, -1)]) {
    expect(log).not.toContain(secret);
  }
});

it.each([
  [loginPath, 'POST'],
  [`${authPath}/sessions/x`, 'DELETE'],
  [`${authPath}/sessions`, 'GET'],
])('pages of the listed origins may call %s, and no others', async (path, method) => {
  const preflight = (origin: string) =>
    fetch(service.instance.url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
  const allowed = await preflight('https://app.example');
  expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
  expect(allowed.headers.get('Access-Control-Allow-Methods')).toContain(method);
  expect(allowed.headers.get('Access-Control-Allow-Headers')).toContain('authorization');
  const rejected = await preflight('https://evil.example');
  expect(rejected.headers.get('Access-Control-Allow-Origin')).toBeNull();
});
