import { loginSession } from '@waggle/contracts';
import { devnetKeys } from '@waggle/devnet';
import { errorOf, jsonOf } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { freshTs, loginPath, sign } from '../support/login-path';
import { row } from '../support/interface-rows';

describe('GET /users/login', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start({ admins: ['carol'] });
  });
  afterAll(() => chat.stop());

  const errorCode = (path: string) => chat.instance.getError(path);

  row(
    ['GET /users/login', 'resource session', 'authentication 1: login'],
    'returns a session and sets cookies',
    async () => {
      const response = await chat.instance.get(loginPath('alice'));
      expect(response.status).toBe(200);
      expect(await jsonOf(response, loginSession)).toMatchObject({ username: 'alice', admin: false });
      const cookies = response.headers.getSetCookie();
      expect(cookies).toEqual([
        expect.stringMatching(/^access_token=[^;]+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
        expect.stringMatching(/^refresh_token=[^;]+; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      ]);
    },
  );

  it('reports whether the account is an admin', async () => {
    expect((await chat.instance.logIn('carol')).admin).toBe(true);
  });

  row(
    ['GET /users/login', 'authentication 1: login'],
    'takes a signature of the posting or the active key',
    async () => {
      for (const role of ['posting', 'active'] as const) {
        const response = await chat.instance.get(loginPath('alice', { wif: devnetKeys('alice')[role].wif }));
        expect([role, response.status]).toEqual([role, 200]);
      }
    },
  );

  it('accepts a signature in upper-case hex', async () => {
    const ts = String(freshTs());
    const sig = sign('alice' + ts, devnetKeys('alice').posting.wif).toUpperCase();
    expect((await chat.instance.get(`/users/login?username=alice&ts=${ts}&sig=${sig}`)).status).toBe(200);
  });

  it.each([
    ['of the owner key', () => loginPath('alice', { wif: devnetKeys('alice').owner.wif })],
    ['of the memo key', () => loginPath('alice', { wif: devnetKeys('alice').memo.wif })],
    ['of another account', () => loginPath('alice', { wif: devnetKeys('bob').posting.wif })],
    ['over another text', () => loginPath('alice', { text: 'alice123' })],
    ['that is not hex', () => loginPath('alice').replace(/sig=.*/, 'sig=zz')],
    ['that is truncated', () => loginPath('alice').slice(0, -2)],
    ['that is too long', () => `${loginPath('alice')}00`],
    ['of zeros', () => loginPath('alice').replace(/sig=.*/, `sig=${'0'.repeat(130)}`)],
  ])('rejects a signature %s', async (_what, path) => {
    expect(await errorCode(path())).toMatchObject({ statusCode: 401, code: 'invalid-signature' });
  });

  it.each([
    ['too old', -301_000, 'ts is too old: the clock is slow, the request took too long, or ts is not in milliseconds'],
    ['too far ahead', 61_000, 'ts is in the future: the clock is fast, or ts is not in milliseconds'],
  ])('rejects a ts that is %s', async (_what, offsetMs, message) => {
    const path = loginPath('alice', { ts: String(Date.now() + offsetMs) });
    expect(await errorCode(path)).toMatchObject({
      statusCode: 401,
      code: 'proof-expired',
      message,
    });
  });

  it.each([
    ['a minute less than too old', -240_000],
    ['a little ahead', 50_000],
  ])('accepts a ts that is %s', async (_what, offsetMs) => {
    const path = loginPath('bob', { ts: String(Date.now() + offsetMs) });
    expect((await chat.instance.get(path)).status).toBe(200);
  });

  it('accepts a proof once, for any number of concurrent uses', async () => {
    const path = loginPath('alice');
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await chat.instance.get(path)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await errorCode(path)).toMatchObject({ statusCode: 401, code: 'proof-replayed' });
  });

  it('accepts a proof once, even if the store of used proofs has lost it', async () => {
    const path = loginPath('alice');
    expect((await chat.instance.get(path)).status).toBe(200);
    // Without Redis each instance remembers its own.
    const other = await chat.addInstance();
    expect(await errorOf(await other.get(path))).toMatchObject({ statusCode: 401, code: 'proof-replayed' });
  });

  it('does not let another account use up a text', async () => {
    const ts = String(freshTs());
    await errorCode(loginPath('alice', { ts, wif: devnetKeys('bob').posting.wif }));
    expect((await chat.instance.get(loginPath('alice', { ts }))).status).toBe(200);
  });

  it('rejects an account that is not on the chain', async () => {
    expect(await errorCode(loginPath('nobody-here'))).toMatchObject({ statusCode: 401, code: 'account-not-found' });
  });

  it.each([
    ['no parameters', '/users/login', 'username'],
    ['an upper-case name', '/users/login?username=Alice&ts=1&sig=ff', 'username'],
    ['SQL in the name', `/users/login?username=${encodeURIComponent("a' OR 1=1--")}&ts=1&sig=ff`, 'username'],
    ['no ts', '/users/login?username=alice&sig=ff', 'ts'],
    ['a ts that is text', '/users/login?username=alice&ts=now&sig=ff', 'ts'],
    ['a ts twice', '/users/login?username=alice&ts=1&ts=2&sig=ff', 'ts'],
    ['no signature', '/users/login?username=alice&ts=1', 'sig'],
    ['a huge signature', `/users/login?username=alice&ts=1&sig=${'f'.repeat(1_000)}`, 'sig'],
  ])('names the invalid field: %s', async (_what, path, field) => {
    expect(await errorCode(path)).toMatchObject({
      statusCode: 400,
      code: 'invalid-request',
      message: expect.stringContaining(field),
    });
  });

  it('accepts a new key at once, and no longer the previous one', async () => {
    expect((await chat.instance.get(loginPath('dave'))).status).toBe(200);
    const newKey = devnetKeys('new-key-of-dave').posting;
    chat.devnet.changeKey('dave', 'posting', newKey.publicKey);
    expect((await chat.instance.get(loginPath('dave', { wif: newKey.wif }))).status).toBe(200);
    expect(await errorCode(loginPath('dave'))).toMatchObject({ statusCode: 401, code: 'invalid-signature' });
  });

  it('requires a key of sufficient weight', async () => {
    const [one, two] = [devnetKeys('first-of-erin').posting, devnetKeys('second-of-erin').posting];
    chat.devnet.setAuthority('erin', 'posting', {
      weight_threshold: 2,
      account_auths: [],
      key_auths: [
        [one.publicKey, 1],
        [two.publicKey, 2],
      ],
    });
    expect((await chat.instance.get(loginPath('erin', { wif: two.wif }))).status).toBe(200);
    expect(await errorCode(loginPath('erin', { wif: one.wif }))).toMatchObject({
      statusCode: 401,
      code: 'invalid-signature',
    });
  });

  it('logs no signatures and no tokens', async () => {
    const path = loginPath('alice');
    const session = await jsonOf(await chat.instance.get(path), loginSession);
    await errorCode(`${path.slice(0, -2)}zz`);
    const log = chat.instance.logLines.join('');
    expect(log).toContain('"/users/login"');
    for (const secret of [path.slice(-130), session.token, session.refresh_token, session.ws_token]) {
      expect(log).not.toContain(secret);
    }
  });
});

describe('GET /users/login while no Hive node responds', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start({ hive: { authorityCacheMs: 1 } });
  });
  afterAll(() => chat.stop());

  it('responds with 503 and Retry-After, never "wrong signature", and recovers', async () => {
    await chat.devnet.node.kill();
    const response = await chat.instance.get(loginPath('alice'));
    expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await errorOf(response)).toMatchObject({ statusCode: 503, code: 'unavailable' });
    await chat.devnet.node.revive();
    expect((await chat.instance.get(loginPath('alice'))).status).toBe(200);
  });
});

it('sets and clears partitioned cookies if they are for pages of other sites', async () => {
  const chat = await ChatUnderTest.start({ cookies: { sameSite: 'none' } });
  try {
    const session = await chat.instance.get(loginPath('alice'));
    const cookies = session.headers.getSetCookie();
    const Cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
    const logout = await chat.instance.get('/users/logout', { Cookie });
    expect(logout.status).toBe(204);
    const attributes = [...cookies, ...logout.headers.getSetCookie()].map((cookie) => cookie.split('; '));
    expect(attributes).toHaveLength(4);
    for (const each of attributes)
      expect(each).toEqual(expect.arrayContaining(['Secure', 'SameSite=None', 'Partitioned']));
  } finally {
    await chat.stop();
  }
});
