import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { publicTokenKeys, type PublicTokenKey } from '@waggle/contracts';
import { exampleIn } from '@waggle/testing';
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWTPayload } from 'jose';
import { readKeyDocument } from '../../src/tokens/key-document';
import { signingKeyIn } from '../../src/tokens/token-jwk';
import { tokenVerifier } from './account-of-token';
import { authPath, bearer, errorOf, jsonOf } from '../support/video-auth-client';
import { tokenKeys, VideoAuthUnderTest } from '../support/video-auth-under-test';

let service: VideoAuthUnderTest;
let token: string;
let claims: JWTPayload;
beforeAll(async () => {
  service = await VideoAuthUnderTest.start();
  token = await service.instance.logIn('alice');
  claims = decodeJwt(token);
});
afterAll(() => service.stop());

const { privateKey: ourKey, id: ourId } = signingKeyIn(readKeyDocument(tokenKeys).current);
const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function publishedKeys(): Promise<PublicTokenKey[]> {
  return (await jsonOf(await service.instance.get('/.well-known/jwks.json'), publicTokenKeys)).keys;
}

/** A token signed with the service's key, as another program with that key could sign it. */
function signed(changes: JWTPayload, key: KeyObject = ourKey, kid = ourId): Promise<string> {
  const header = { alg: 'ES256', typ: 'JWT', kid };
  return new SignJWT({ ...claims, ...changes }).setProtectedHeader(header).sign(key);
}

function lasting(): Promise<string> {
  const rest = Object.fromEntries(Object.entries(claims).filter(([name]) => name !== 'exp'));
  return new SignJWT(rest).setProtectedHeader({ alg: 'ES256', kid: ourId }).sign(ourKey);
}

async function byHmacWith(secret: string | Buffer, kid = ourId): Promise<string> {
  const body = `${text({ alg: 'HS256', typ: 'JWT', kid })}.${text(claims)}`;
  return Promise.resolve(`${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`);
}

async function publicPem(): Promise<string> {
  const [jwk] = await publishedKeys();
  return createPublicKey({ key: jwk ?? {}, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
}

const unsigned = (alg: string) => `${text({ alg, typ: 'JWT', kid: ourId })}.${text(claims)}.`;
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const now = () => Math.floor(Date.now() / 1_000);

it('is valid as issued, and so is another one with the same claims and key', async () => {
  expect(await service.instance.isGood(token)).toBe(true);
  expect(await service.instance.isGood(await signed({}))).toBe(true);
});

it.each([
  ['has no signature and alg none', () => unsigned('none')],
  ['has no signature', () => unsigned('ES256')],
  ['is signed by HS256 with the public key', async () => byHmacWith(await publicPem())],
  ['is signed by HS256 with the kid', () => byHmacWith(ourId)],
  ['is signed by another key', () => signed({}, stranger)],
  ['has a kid that is unknown', () => signed({}, stranger, 'unknown')],
  ['has a kid that is unknown, though by our key', () => signed({}, ourKey, 'unknown')],
  [
    'has the kid of the next key, but not its signature',
    async () => signed({}, ourKey, (await publishedKeys())[1]?.kid),
  ],
  ['has no kid', () => new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(ourKey)],
  ['is for another audience', () => signed({ aud: 'another' })],
  ['is for none', () => signed({ aud: [] })],
  ['is of another issuer', () => signed({ iss: 'another' })],
  ['has expired', () => signed({ exp: now() - 1 })],
  ['never expires', () => lasting()],
  ['is of another type', () => signed({ type: 'lite' })],
  ['is for another network', () => signed({ network: 'steem' })],
  ['names another account', () => signed({ username: 'bob' })],
  ['names another account throughout', () => signed({ username: 'bob', sub: 'singleton/hive/bob' })],
  ['names a session that is none', () => signed({ sid: '01JD0000000000000000000000' })],
  // The last character has unused bits.
  ['has its last character but one changed', () => token.replace(/.(.)$/, token.at(-2) === 'A' ? 'Q$1' : 'A$1')],
  [
    'has other claims under its signature',
    () => token.replace(/\.[^.]+\./, `.${text({ ...claims, username: 'bob' })}.`),
  ],
  ['has no claims', () => token.replace(/\.[^.]+\./, '..')],
  ['is no JWT', () => 'abc'],
  ['is dots', () => '..'],
  ['is null, as a client without one writes it', () => 'null'],
])('is rejected that %s', async (_what, forge) => {
  const response = await service.instance.check(await forge());
  expect(await errorOf(response)).toMatchObject({
    statusCode: 401,
    code: 'unauthenticated',
    message: 'no valid token',
    errorType: 'UNAUTHENTICATED',
  });
});

it('is required, with the right scheme', async () => {
  for (const headers of [{}, { Authorization: '' }, { Authorization: 'Bearer' }, { Authorization: `Basic ${token}` }]) {
    expect(await errorOf(await service.instance.post(`${authPath}/check`, undefined, headers))).toMatchObject({
      errorType: 'UNAUTHENTICATED',
    });
  }
});

it('is accepted without the scheme `Bearer`, and with a Content-Type but no body', async () => {
  expect((await service.instance.post(`${authPath}/check`, undefined, { Authorization: token })).status).toBe(200);
  const asJson = { ...bearer(token), 'Content-Type': 'application/json' };
  expect((await service.instance.post(`${authPath}/check`, '', asJson)).status).toBe(200);
});

it('can be verified with the published keys, which have no private part', async () => {
  const response = await service.instance.get('/.well-known/jwks.json');
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=300');
  const [current, next, ...others] = await publishedKeys();
  expect(current?.kid).toBe(decodeProtectedHeader(token).kid);
  expect(next?.kid).not.toBe(current?.kid);
  expect(others).toEqual([]);
  expect(await response.text()).not.toContain('"d"');
});

it('is verified by other programs as the README shows, with only the JWKS', async () => {
  const example = readFileSync(path.join(__dirname, 'account-of-token.ts'), 'utf8');
  expect(exampleIn('apps/video-auth/README.md', 'Verify a token in another service')).toBe(example);

  const accountOf = tokenVerifier(service.instance.url);
  expect(await accountOf(token)).toBe('alice');
  for (const forged of [
    unsigned('none'),
    await byHmacWith(await publicPem()),
    await signed({}, stranger),
    await signed({}, ourKey, 'unknown'),
    await signed({ aud: 'another' }),
    await signed({ iss: 'another' }),
    await signed({ exp: now() - 1 }),
  ]) {
    await expect(accountOf(forged)).rejects.toThrow();
  }
});
