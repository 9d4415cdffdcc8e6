import { loginSession, renewedSession } from '@waggle/contracts';
import { bearer, jsonOf } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { loginPath } from '../support/login-path';

const origin = { Origin: 'https://bearer.example' };

describe('an origin of BEARER_ORIGINS', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterEach(() => chat.instance.close());
  afterAll(() => chat.stop());

  const cookiesOf = async (account: string) => {
    const { token, refresh_token } = await chat.instance.logIn(account);
    return { Cookie: `access_token=${token}; refresh_token=${refresh_token}` };
  };

  it('gets no cookies, and can read the tokens', async () => {
    const response = await chat.instance.get(loginPath('alice'), origin);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin.Origin);
    const { refresh_token } = await jsonOf(response, loginSession);
    const renewal = await chat.instance.get('/users/refresh-token', { ...origin, ...bearer(refresh_token) });
    expect(renewal.headers.getSetCookie()).toEqual([]);
    expect(await jsonOf(renewal, renewedSession)).toMatchObject({ username: 'alice' });
  });

  it('acts as the account of its token, regardless of cookies, and requires a token', async () => {
    const headers = { ...origin, ...(await cookiesOf('alice')) };
    const bob = await chat.instance.logIn('bob');
    for (const path of ['/users/verify', '/users/refresh-token', '/messages/new', '/users/logout']) {
      const response = await chat.instance.get(path, headers);
      expect([path, response.status]).toEqual([path, 401]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    const verified = await chat.instance.get('/users/verify', { ...headers, ...bearer(bob.token) });
    expect(await jsonOf(verified, renewedSession)).toMatchObject({ username: 'bob' });
  });

  it('opens WebSockets by a token, and not by cookies', async () => {
    const headers = { ...origin, ...(await cookiesOf('alice')) };
    const bob = await chat.instance.logIn('bob');
    const [byToken, byCookies] = [
      await chat.instance.openSocket({ headers }),
      await chat.instance.openSocket({ headers }),
    ];
    expect(await byToken.request('authenticate', { token: bob.ws_token }, 'status')).toEqual({ authenticated: true });
    expect(await byCookies.request('authenticate', {}, 'status')).toEqual({ authenticated: false });
  });

  it('gets a response to a preflight', async () => {
    const response = await fetch(`${chat.instance.url}/users/settings`, {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin.Origin);
  });
});
