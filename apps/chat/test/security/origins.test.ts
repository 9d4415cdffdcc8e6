import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { settings } from '@waggle/contracts';
import { bearer, errorOf } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { interfaceTables } from '../support/interface-rows';
import { loginPath } from '../support/login-path';
import { DatabaseState } from '../support/database-state';

const allowed = 'https://app.example';

/** The headers of a browser for pages of other sites, once for each way to recognize one. */
const typicalStrangers: [string, Record<string, string>][] = [
  ["a stranger's Origin", { Origin: 'https://evil.example' }],
  ['no Origin, from another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['no Origin, from another host of our site', { 'Sec-Fetch-Site': 'same-site' }],
];

/** Headers of further pages, or forged headers. */
const otherStrangers: [string, Record<string, string>][] = [
  ['the Origin null of a sandboxed frame or a file', { Origin: 'null' }],
  ['our origin without TLS', { Origin: 'http://app.example' }],
  ['our origin at another port', { Origin: 'https://app.example:8443' }],
  ['an origin that begins as ours', { Origin: 'https://app.example.evil.example' }],
  ['an origin that ends as ours', { Origin: 'https://evil-app.example' }],
  ['our origin with a path', { Origin: 'https://app.example/' }],
  ['our origin and another', { Origin: 'https://app.example, https://evil.example' }],
  ['what is no origin', { Origin: '*' }],
  ['an empty Origin', { Origin: '' }],
  [
    "a stranger's Origin that claims to be the same",
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
  ],
];

const strangers = [...typicalStrangers, ...otherStrangers];

const endpoints = Object.keys({
  ...interfaceTables['REST endpoints'],
  ...interfaceTables['REST endpoints beyond the document'],
});

describe("a victim's cookies", () => {
  let chat: ChatUnderTest;
  let stored: DatabaseState;
  let cookies: string;
  let conversationId: string;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    stored = await DatabaseState.connect(chat.database);
    const response = await chat.instance.get(loginPath('alice'));
    cookies = response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    expect(cookies).toMatch(/access_token=.+; refresh_token=.+/);
    conversationId = (await (await chat.instance.join('alice')).open('bob', 'private')).id;
  });
  afterEach(() => chat.instance.close());
  afterAll(async () => {
    await stored.close();
    await chat.stop();
  });

  const bodies: Record<string, object> = {
    'POST /users/settings': { dm: { only_from_friends: true } },
    'POST /users/channels': { name: 'by a stranger' },
    'POST /users/revoke-session': { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    'POST /users/erase': { ts: '1767225600000', sig: '00' },
  };
  const queries: Record<string, () => string> = {
    'GET /messages/conversation': () => `?id=${conversationId}`,
    'GET /messages/chats': () => `?conversation_id=${conversationId}`,
  };
  const call = (endpoint: string, headers: Record<string, string>, type = 'application/json') => {
    const [method = '', path = ''] = endpoint.split(' ');
    const body = bodies[endpoint];
    return fetch(chat.instance.url + path + (queries[endpoint]?.() ?? ''), {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': type }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const corsHeaders = ({ headers }: Response) => ({
    origin: headers.get('access-control-allow-origin'),
    credentials: headers.get('access-control-allow-credentials'),
  });

  it('has a body for every POST', () => {
    const posts = endpoints.filter((endpoint) => endpoint.startsWith('POST'));
    expect(Object.keys(bodies).sort()).toEqual(posts.sort());
  });

  const withCookies = endpoints.filter((endpoint) => endpoint !== 'GET /users/login');
  // One function reads these headers for all endpoints, so a few endpoints are enough for most strangers.
  const few = ['GET /messages/chats', 'POST /users/settings', 'GET /users/refresh-token'];
  describe.each([
    ...typicalStrangers.map((stranger) => [...stranger, withCookies] as const),
    ...otherStrangers.map((stranger) => [...stranger, few] as const),
  ])('with %s', (_who, headers, called) => {
    it.each(called)('are of no use for %s', async (endpoint) => {
      const before = await stored.fingerprints();
      for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
        const response = await call(endpoint, { ...headers, Cookie: cookies }, type);
        expect(corsHeaders(response).origin).not.toBe('*');
        if (headers['Origin'] !== undefined) expect(corsHeaders(response).origin).not.toBe(headers['Origin']);
        if (endpoint !== 'GET /users/logout') expect(response.headers.getSetCookie()).toEqual([]);
        expect([401, 415]).toContain((await errorOf(response)).statusCode);
        if (endpoint.startsWith('GET')) break;
      }
      expect(await stored.fingerprints()).toEqual(before);
    });

    it('are not set by a log-in', async () => {
      const response = await chat.instance.get(loginPath('bob'), headers);
      expect(response.status).toBe(200);
      expect(response.headers.getSetCookie()).toEqual([]);
      if (headers['Origin'] !== undefined) expect(corsHeaders(response).origin).toBeNull();
    });

    it.each(['/ws', '/'])('are of no use for the WebSocket at %s', async (path) => {
      const socket = await chat.instance.openSocket({ path, headers: { ...headers, Cookie: cookies } });
      socket.send('chat-message', { conversation_id: conversationId, message: 'by a stranger' });
      expect((await socket.next('error')).payload.code).toBe('unauthenticated');
      socket.send('authenticate', {});
      expect((await socket.next('status')).payload).toEqual({ authenticated: false });
      expect((await socket.closed).code).toBe(4004);
    });

    it('do not affect requests with a token in the header', async () => {
      const { token } = await chat.instance.logIn('bob');
      const response = await call('GET /messages/chats', { ...headers, ...bearer(token), Cookie: cookies });
      expect(response.status).toBe(200);
      const friends = await call('GET /users/friends', { ...headers, ...bearer('rubbish'), Cookie: cookies });
      expect(friends.status).toBe(401);
    });
  });

  it.each(['none', 'same-origin'])('are not replaced by a log-in through a link, from %s', async (site) => {
    // Not by `fetch`, which sends a mode of its own.
    const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', Cookie: cookies };
    const [response] = (await once(get(chat.instance.url + loginPath('bob'), { headers }), 'response')) as [
      IncomingMessage,
    ];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  it('are not cleared by a log-out from a page of another site', async () => {
    const clearedFor: string[] = [];
    for (const [who, headers] of strangers) {
      const response = await call('GET /users/logout', { ...headers, Cookie: cookies });
      if (response.headers.getSetCookie().length > 0) clearedFor.push(who);
    }
    expect(clearedFor).toEqual([]);
  });

  describe('a preflight', () => {
    const preflight = (endpoint: string, origin: string) => {
      const [method = '', path = ''] = endpoint.split(' ');
      return fetch(chat.instance.url + path, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': method,
          'Access-Control-Request-Headers': 'authorization,content-type',
        },
      });
    };

    it.each(endpoints)('of a stranger for %s allows nothing', async (endpoint) => {
      for (const origin of ['https://evil.example', 'null', 'http://app.example', 'https://app.example.evil.example']) {
        const response = await preflight(endpoint, origin);
        expect(corsHeaders(response).origin).toBeNull();
      }
    });

    it.each(endpoints)('of an allowed origin for %s gets a response with exactly that origin', async (endpoint) => {
      const response = await preflight(endpoint, allowed);
      expect(response.status).toBe(204);
      expect(corsHeaders(response)).toEqual({ origin: allowed, credentials: 'true' });
      expect(response.headers.get('access-control-allow-methods')).toContain(endpoint.split(' ')[0]);
      expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
      expect(response.headers.get('vary')).toContain('Origin');
    });
  });

  describe('from our own pages', () => {
    it.each<[string, () => Record<string, string>]>([
      ['an allowed origin', () => ({ Origin: allowed })],
      ['an allowed origin of another site', () => ({ Origin: allowed, 'Sec-Fetch-Site': 'cross-site' })],
      ['the host itself', () => ({ Origin: chat.instance.url.replace('http:', 'https:') })],
      ['a page of ours that sends no Origin', () => ({ 'Sec-Fetch-Site': 'same-origin' })],
      ['the address bar', () => ({ 'Sec-Fetch-Site': 'none' })],
      ['what is no browser', () => ({})],
    ])('count: %s', async (_who, headersOf) => {
      const headers: Record<string, string> = { ...headersOf(), Cookie: cookies };
      const response = await call('GET /messages/chats', headers);
      expect(response.status).toBe(200);
      const origin = headers['Origin'] === allowed ? allowed : null;
      expect(corsHeaders(response).origin).toBe(origin);
      if (origin !== null) expect(corsHeaders(response).credentials).toBe('true');
      expect((await call('GET /users/refresh-token', headers)).headers.getSetCookie()).toHaveLength(1);

      const socket = await chat.instance.openSocket({ headers });
      expect(await socket.request('authenticate', {}, 'status')).toEqual({ authenticated: true });
      await socket.request('chat-message', { conversation_id: conversationId, message: 'by myself' }, 'chat-message');
    });

    it('allow POST requests', async () => {
      const headers = { Origin: allowed, Cookie: cookies };
      const response = await chat.instance.post('/users/settings', { dm: { only_from_friends: true } }, headers);
      expect(settings.parse(await response.json())).toEqual({ dm: { only_from_friends: true } });
    });

    it('are distinguished by origin in errors too, so that the page can read them', async () => {
      const response = await call('GET /users/friends', { Origin: allowed });
      expect(response.status).toBe(401);
      expect(corsHeaders(response)).toEqual({ origin: allowed, credentials: 'true' });
      expect(response.headers.get('vary')).toContain('Origin');
    });
  });
});
