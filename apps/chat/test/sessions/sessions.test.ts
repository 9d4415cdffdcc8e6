import { renewedSession } from '@waggle/contracts';
import { z } from 'zod';
import { bearer, errorOf, jsonOf } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { HeldLock } from '../support/held-lock';
import { loginPath } from '../support/login-path';
import { row } from '../support/interface-rows';
import { resigned } from '../support/signed-tokens';

describe('a session', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterAll(() => chat.stop());

  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await chat.instance.get(path, headers)).status;
  const cookie = (name: 'access_token' | 'refresh_token', token: string) => ({
    Cookie: `theme=dark; ${name}=${token}`,
  });

  describe.each(['/users/verify', '/messages/conversations', '/messages/new'])('GET %s', (path) => {
    it('accepts the access token as Bearer, bare, or as a cookie', async () => {
      const { token } = await chat.instance.logIn('alice');
      expect(await status(path, { Authorization: `Bearer ${token}` })).toBe(200);
      expect(await status(path, { Authorization: `bearer ${token}` })).toBe(200);
      expect(await status(path, { Authorization: token })).toBe(200);
      expect(await status(path, cookie('access_token', token))).toBe(200);
    });

    it('rejects everything else with 401, without logging', async () => {
      const { token, ws_token } = await chat.instance.logIn('alice');
      const before = chat.instance.logLines.filter((line) => !line.includes('"level":"debug"')).length;
      const [header = '', payload = '', signature = ''] = token.split('.');
      const forged = Buffer.from(
        JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'bob' }),
      );
      const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
      for (const headers of [
        {},
        { Authorization: 'Bearer' },
        { Authorization: 'Bearer rubbish' },
        { Authorization: `Bearer ${ws_token}` },
        { Authorization: `Bearer ${header}.${forged.toString('base64url')}.${signature}` },
        { Authorization: `Bearer ${none}.${payload}.` },
        { Authorization: `Bearer ${header}.${payload}.${signature.slice(0, -4)}AAAA` },
        { Cookie: 'access_token=' },
      ]) {
        const response = await chat.instance.get(path, headers);
        expect([headers, response.status]).toEqual([headers, 401]);
        expect((await errorOf(response)).code).toBe('unauthenticated');
      }
      expect(chat.instance.logLines.filter((line) => !line.includes('"level":"debug"')).length).toBe(before);
    });
  });

  it.each(['/users/refresh-token', '/users/verify'])(
    'is renewed by at most two concurrent requests of one account at GET %s',
    async (path) => {
      const [alice, bob] = [await chat.instance.logIn('alice'), await chat.instance.logIn('bob')];
      const heldLock = await HeldLock.connect(chat.database);
      await heldLock.acquire({ text: "SELECT FROM session WHERE account = 'alice' FOR UPDATE" });
      // The names of cookies do not matter, and invalid ones are ignored.
      const renewals = Array.from({ length: 30 }, (_none, n) =>
        status(path, { Cookie: `access_token=${alice.refresh_token}; refresh_token=invalid-${n}` }),
      );
      try {
        await heldLock.waitForWaiting(2);
        expect(await status('/users/verify', bearer(bob.token))).toBe(200);
        expect(await heldLock.waiting()).toBe(2);
      } finally {
        await heldLock.release();
        await heldLock.disconnect();
      }
      expect(new Set(await Promise.all(renewals))).toEqual(new Set([200]));
    },
  );

  row(['GET /users/verify', 'resource session'], 'is returned by verify, with the token of the request', async () => {
    const { token } = await chat.instance.logIn('alice');
    const delivered = await chat.instance.getJson('/users/verify', token, renewedSession);
    expect(delivered).toMatchObject({ username: 'alice', token });
  });

  const isRenewedBy = async (path: string) => {
    const { token, refresh_token } = await chat.instance.logIn('alice');
    for (const headers of [{ Authorization: `Bearer ${refresh_token}` }, cookie('refresh_token', refresh_token)]) {
      const response = await chat.instance.get(path, headers);
      const renewed = await jsonOf(response, renewedSession);
      expect(renewed.username).toBe('alice');
      expect(renewed.token).not.toBe(token);
      expect(await status('/messages/new', { Authorization: `Bearer ${renewed.token}` })).toBe(200);
      await chat.instance.connect(renewed.ws_token);
      expect(response.headers.getSetCookie()).toEqual([expect.stringContaining(`access_token=${renewed.token}`)]);
    }
  };

  row(
    ['GET /users/refresh-token', 'resource session', 'authentication 2: tokens'],
    'is renewed by refresh-token with the refresh token, as Bearer or cookie',
    () => isRenewedBy('/users/refresh-token'),
  );

  row('GET /refresh-token', 'renews as /users/refresh-token does', () => isRenewedBy('/refresh-token'));

  row('GET /users/verify', 'is renewed by verify with the refresh token, as Bearer or cookie', () =>
    isRenewedBy('/users/verify'),
  );

  it('is that of the token in the header, regardless of the cookies', async () => {
    const alice = await chat.instance.logIn('alice');
    const bob = await chat.instance.logIn('bob');
    await chat.instance.get('/users/logout', { Authorization: alice.token });
    const bobs = { Cookie: `access_token=${bob.token}; refresh_token=${bob.refresh_token}` };
    for (const header of [alice.token, alice.refresh_token, 'rubbish']) {
      for (const path of ['/users/verify', '/users/refresh-token', '/users/logout', '/messages/new']) {
        expect([path, await status(path, { ...bobs, Authorization: header })]).toEqual([path, 401]);
      }
    }
    for (const nothing of ['', 'Bearer', 'Bearer null', 'undefined', 'Basic Ym9iOmJvYg==']) {
      expect(await status('/users/verify', { ...bobs, Authorization: nothing })).toBe(200);
    }
  });

  it('is not mixed up with the session in the cookies by renewing it by a token in the header', async () => {
    const alice = await chat.instance.logIn('alice');
    const bob = await chat.instance.logIn('bob');
    for (const path of ['/users/verify', '/users/refresh-token']) {
      const headers = { ...cookie('refresh_token', alice.refresh_token), Authorization: bob.refresh_token };
      const response = await chat.instance.get(path, headers);
      expect(await jsonOf(response, renewedSession)).toMatchObject({ username: 'bob' });
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  it('is rejected with a specific message if its token has expired', async () => {
    const { token, refresh_token } = await chat.instance.logIn('alice');
    const expiredTokens = [token, refresh_token].map((each) =>
      resigned(each, { exp: Math.floor(Date.now() / 1_000) - 1 }),
    );
    for (const expired of expiredTokens) {
      for (const path of ['/users/verify', '/users/refresh-token', '/refresh-token', '/messages/new']) {
        const error = await chat.instance.getError(path, { Authorization: `Bearer ${expired}` });
        expect([path, error]).toMatchObject([path, { statusCode: 401, message: 'Expired token' }]);
      }
    }
    const [expired = ''] = expiredTokens;
    expect(await chat.instance.getError('/messages/new', cookie('access_token', expired))).toMatchObject({
      message: 'Expired token',
    });
    for (const headers of [
      {},
      { Authorization: 'rubbish' },
      { Authorization: 'rubbish', ...cookie('access_token', expired) },
    ]) {
      const error = await chat.instance.getError('/messages/new', headers);
      expect(error).toMatchObject({ statusCode: 401, message: 'no valid credentials' });
    }
  });

  row('GET /users/refresh-token', 'is not renewed by an access token', async () => {
    const { token, ws_token } = await chat.instance.logIn('alice');
    expect(await status('/users/refresh-token', { Authorization: `Bearer ${token}` })).toBe(401);
    expect(await status('/users/refresh-token', { Authorization: `Bearer ${ws_token}` })).toBe(401);
    expect(await status('/messages/new', { Authorization: `Bearer ${ws_token}` })).toBe(401);
  });

  it('cannot be used by a page of an unknown origin', async () => {
    const { token, refresh_token } = await chat.instance.logIn('alice');
    const cookies = { Cookie: `access_token=${token}; refresh_token=${refresh_token}` };
    for (const path of ['/users/verify', '/users/refresh-token', '/users/logout', '/messages/new']) {
      expect(await status(path, { ...cookies, Origin: 'https://stranger.example' })).toBe(401);
      expect(await status(path, { ...cookies, 'Sec-Fetch-Site': 'cross-site' })).toBe(401);
    }
    expect(
      await status('/messages/new', { ...cookies, Origin: 'https://app.example', 'Sec-Fetch-Site': 'cross-site' }),
    ).toBe(200);
    expect(await status('/messages/new', { ...cookies, Origin: chat.instance.url.replace('http:', 'https:') })).toBe(
      200,
    );
    expect(await status('/messages/new', { ...cookies, Origin: chat.instance.url })).toBe(401);
    expect(await status('/messages/new', { ...cookies, 'Sec-Fetch-Site': 'same-site' })).toBe(401);
  });

  row('GET /users/logout', 'ends by logout: 204, cookies cleared, no token of it good any more', async () => {
    const { token, refresh_token, ws_token } = await chat.instance.logIn('alice');
    const other = await chat.instance.logIn('alice');
    const response = await chat.instance.get('/users/logout', { Authorization: `Bearer ${token}` });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^access_token=; .*Expires=Thu, 01 Jan 1970/),
      expect.stringMatching(/^refresh_token=; .*Expires=Thu, 01 Jan 1970/),
    ]);
    for (const gone of [token, refresh_token]) {
      for (const path of ['/users/verify', '/users/refresh-token', '/messages/new', '/users/logout']) {
        expect(await status(path, { Authorization: `Bearer ${gone}` })).toBe(401);
      }
    }
    await expect(chat.instance.connect(ws_token)).rejects.toThrow('not authenticated');
    expect(await status('/messages/new', { Authorization: `Bearer ${other.token}` })).toBe(200);
  });

  it('is not ended by a logout with the token of another one, whatever the cookies are', async () => {
    const [mine, other, bob] = [
      await chat.instance.logIn('alice'),
      await chat.instance.logIn('alice'),
      await chat.instance.logIn('bob'),
    ];
    const cookies = { Cookie: `access_token=${mine.token}; refresh_token=${mine.refresh_token}` };
    for (const header of [other.token, other.refresh_token, other.ws_token, bob.token, 'rubbish']) {
      const response = await chat.instance.get('/users/logout', { ...cookies, Authorization: header });
      // The first one ends its own session; the others of that account are revoked then.
      expect([header, response.status]).toEqual([header, [other.token, bob.token].includes(header) ? 204 : 401]);
      expect([header, response.headers.getSetCookie()]).toEqual([header, []]);
      expect(await status('/users/verify', cookies)).toBe(200);
    }
    expect(await status('/users/verify', bearer(bob.token))).toBe(401);
    const response = await chat.instance.get('/users/logout', { ...cookies, Authorization: mine.ws_token });
    expect([response.status, response.headers.getSetCookie()]).toMatchObject([204, { length: 2 }]);
    expect(await status('/users/verify', cookies)).toBe(401);
  });

  it('ends by logout with the refresh token alone', async () => {
    const { refresh_token } = await chat.instance.logIn('alice');
    expect(await status('/users/logout', cookie('refresh_token', refresh_token))).toBe(204);
    expect(await status('/users/refresh-token', cookie('refresh_token', refresh_token))).toBe(401);
  });

  it('sets no cookies for a page of another site', async () => {
    const response = await chat.instance.get(loginPath('alice'), { Origin: 'https://stranger.example' });
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
  });

  it('is not cached by intermediaries', async () => {
    const { token } = await chat.instance.logIn('alice');
    const { headers } = await chat.instance.get('/users/verify', { Authorization: token });
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it('is neither started nor ended by HEAD', async () => {
    const { token } = await chat.instance.logIn('alice');
    const head = (path: string) =>
      fetch(chat.instance.url + path, { method: 'HEAD', headers: { Authorization: token } });
    for (const path of ['/users/logout', loginPath('alice'), '/users/refresh-token', '/refresh-token']) {
      const { status: rejected, headers } = await head(path);
      expect([path, rejected, headers.get('Allow')]).toEqual([path, 405, expect.not.stringContaining('HEAD')]);
    }
    expect(await status('/users/verify', { Authorization: token })).toBe(200);
  });

  it.each([
    ['Sec-Purpose', 'prefetch'],
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Purpose', 'prefetch'],
    ['X-Moz', 'prefetch'],
    ['X-Purpose', 'preview'],
  ])('is neither started nor ended by a prefetch with %s: %s', async (name, purpose) => {
    const { token } = await chat.instance.logIn('alice');
    const reads = ['/users/verify', '/messages/chats?conversation_id=01J', '/messages/conversation?id=01J'];
    for (const path of ['/users/logout', loginPath('alice'), '/users/refresh-token', '/refresh-token', ...reads]) {
      const { status: rejected, headers } = await chat.instance.get(path, { Authorization: token, [name]: purpose });
      expect([path, rejected, headers.get('Cache-Control')]).toEqual([path, 503, 'no-store']);
    }
    expect(await status('/users/friends', { Authorization: token, [name]: purpose })).toBe(200);
  });

  it('closes its sockets with 4020, and no others', async () => {
    const { session, socket } = await chat.instance.join('alice');
    const second = await chat.instance.connect(session.token);
    const { socket: other } = await chat.instance.join('alice');
    await chat.instance.get('/users/logout', { Authorization: `Bearer ${session.token}` });
    expect([(await socket.closed).code, (await second.closed).code]).toEqual([4020, 4020]);
    expect(await other.request('authenticate', {}, 'status')).toEqual({ authenticated: true });
  });

  row(
    ['authentication 2: tokens', 'GET /users/verify'],
    'is renewed by verify with the refresh cookie once its access token has expired',
    async () => {
      const { token, refresh_token } = await chat.instance.logIn('alice');
      const { exp, iat } = timesOf(token);
      expect(Math.abs(exp - iat - 900)).toBeLessThanOrEqual(1);
      const headers = { Authorization: `Bearer ${resigned(token, { exp: Math.floor(Date.now() / 1_000) - 1 })}` };
      expect(await status('/messages/new', headers)).toBe(401);
      const bob = await chat.instance.logIn('bob');
      expect(await status('/users/verify', { ...headers, Cookie: `refresh_token=${bob.refresh_token}` })).toBe(401);
      const renewed = await chat.instance.get('/users/verify', {
        ...headers,
        Cookie: `refresh_token=${refresh_token}`,
      });
      const { username, token: another } = await jsonOf(renewed, renewedSession);
      expect(username).toBe('alice');
      expect(another).not.toBe(token);
      expect(await status('/messages/new', { Authorization: another })).toBe(200);
      expect(await status('/users/logout', headers)).toBe(204);
      expect(await status('/users/refresh-token', { Authorization: refresh_token })).toBe(401);
    },
  );
});

/** The times of a token, in seconds. */
function timesOf(token: string): { iat: number; exp: number } {
  const [, payload = ''] = token.split('.');
  return z.object({ iat: z.number(), exp: z.number() }).parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
}
