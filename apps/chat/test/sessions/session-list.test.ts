import { sessionInfo, sessionRevoked, type SessionInfo } from '@waggle/contracts';
import { Client } from 'pg';
import { z } from 'zod';
import { bearer, errorOf, jsonOf } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { loginPath } from '../support/login-path';
import { nextOf } from '../support/pages';

/** Changes only `Date`; timers continue. */
const allButDate = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('the list of sessions', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterEach(() => chat.instance.close());
  afterAll(() => chat.stop());

  const list = (token: string) => chat.instance.getJson('/users/sessions', token, z.array(sessionInfo));
  const revoke = (token: string, id: string) =>
    chat.instance.postJson('/users/revoke-session', token, { id }, sessionRevoked);
  const rejected = async (token: string, body: unknown) =>
    errorOf(await chat.instance.post('/users/revoke-session', body, bearer(token)));
  const currentOf = async (token: string) => (await list(token)).find(({ current }) => current)?.id ?? '';

  row(
    'GET /users/sessions',
    'returns the live sessions of the caller, the newest first, and which one is current',
    async () => {
      await chat.instance.logIn('bob');
      const response = await chat.instance.get(loginPath('alice'), { 'User-Agent': 'Bees/1.0 (test)' });
      const { token } = await jsonOf(response, z.looseObject({ token: z.string() }));
      const second = await chat.instance.logIn('alice');
      const since = Date.now();
      const expected = {
        id: expect.any(String),
        ip: '127.0.0.1',
        city: null,
        country: null,
        created_at: expect.any(String),
      };
      const sessions = await list(token);
      expect(sessions).toEqual([
        { ...expected, browser: null, current: false },
        { ...expected, browser: 'Bees 1.0', current: true },
      ]);
      for (const each of sessions) expect(Math.abs(Date.parse(each.created_at) - since)).toBeLessThan(30_000);
      expect((await list(second.token)).map(({ current }) => current)).toEqual([true, false]);
      expect((await list(second.token)).map(({ id }) => id)).toEqual(sessions.map(({ id }) => id));
    },
  );

  it('lists when a session was last renewed to a client that asks for it', async () => {
    const { token, refresh_token: refresh } = await chat.instance.logIn('heidi');
    const extended = () => chat.instance.getJson('/users/sessions?extended=true', token, z.array(sessionInfo));
    const [before] = await extended();
    expect(before?.renewed_at).toBe(before?.created_at);
    await chat.instance.get('/users/refresh-token', bearer(refresh));
    const [after] = await extended();
    expect(Date.parse(after?.renewed_at ?? '')).toBeGreaterThan(Date.parse(before?.renewed_at ?? ''));
    expect((await list(token))[0]).not.toHaveProperty('renewed_at');
  });

  it('has no address of a log-in if the proxy forwards an invalid one', async () => {
    const behindProxy = await chat.addInstance({ trustedProxies: ['127.0.0.1'] });
    const logInFrom = async (address: string) => {
      const response = await behindProxy.get(loginPath('grace'), { 'X-Forwarded-For': address });
      return (await jsonOf(response, z.looseObject({ token: z.string() }))).token;
    };
    await logInFrom('[2001:db8::1]:49152');
    const sessions = await list(await logInFrom('x'.repeat(10_000)));
    expect(sessions.map(({ ip }) => ip)).toEqual([null, '2001:db8::1']);
    await behindProxy.close();
  });

  describe('with more than fit into one response', () => {
    let token: string;
    beforeAll(async () => {
      chat.devnet.createAccount('mallory');
      ({ token } = await chat.instance.logIn('mallory'));
      const database = new Client({ connectionString: chat.database.url });
      await database.connect();
      // The longest that a log-in can store: two bytes a character in JSON, and an address of IPv6.
      await database.query(
        `INSERT INTO session (id, account, proof, signing_key, browser, ip, created_at, expires_at)
         SELECT '01ARZ3NDEKTSV4RRFFQ6' || lpad(n::text, 6, '0'), 'mallory', sha256(n::text::bytea), '', repeat($1, 64), $2,
                now() - make_interval(secs => n / 10), now() + interval '1 day'
         FROM generate_series(1, 1999) n`,
        ['\u00ff', 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255'],
      );
      await database.end();
    });
    const pageAt = async (path: string) => {
      const response = await chat.instance.get(path, bearer(token));
      const body = await response.text();
      const next = nextOf(response);
      return { bytes: Buffer.byteLength(body), sessions: z.array(sessionInfo).parse(JSON.parse(body)), next };
    };

    let times: string[];
    it('has pages of less than 128 KiB, each with a link to the next one, the newest first and each once', async () => {
      const all: SessionInfo[] = [];
      for (let path: string | undefined = '/users/sessions'; path !== undefined;) {
        const { bytes, sessions, next }: Awaited<ReturnType<typeof pageAt>> = await pageAt(path);
        expect(bytes).toBeLessThan(128 * 1024);
        if (next !== undefined) expect(sessions).toHaveLength(400);
        all.push(...sessions);
        path = next;
      }
      expect(all).toHaveLength(2_000);
      expect(new Set(all.map(({ id }) => id)).size).toBe(2_000);
      times = all.map(({ created_at }) => created_at);
      expect(times).toEqual(times.toSorted().toReversed());
    });

    it('rejects other cursors', async () => {
      for (const cursor of [
        'x',
        'a'.repeat(600),
        'WzFd',
        Buffer.from('[9e15,"01ARZ3NDEKTSV4RRFFQ69G5FAV"]').toString('base64url'),
      ]) {
        expect(await chat.instance.getError(`/users/sessions?cursor=${cursor}`, bearer(token))).toMatchObject({
          statusCode: 400,
          code: 'invalid-request',
          message: expect.stringContaining('cursor') as unknown,
        });
      }
    });

    it('has the newest 1,000 after the next log-in, which ends the others', async () => {
      const { token: next } = await chat.instance.logIn('mallory');
      const sessions: SessionInfo[] = [];
      for (let path: string | undefined = '/users/sessions'; path !== undefined;) {
        const page: Awaited<ReturnType<typeof pageAt>> = await pageAt(path);
        sessions.push(...page.sessions);
        path = page.next;
      }
      expect(sessions).toHaveLength(1_000);
      expect(sessions[0]?.id).toBe(await currentOf(next));
      expect(sessions.at(-1)?.created_at).toBe(times[998]);
    });
  });

  it('leaves out ended sessions', async () => {
    const [first, second, third] = [
      await chat.instance.logIn('carol'),
      await chat.instance.logIn('carol'),
      await chat.instance.logIn('carol'),
    ];
    await chat.instance.get('/users/logout', bearer(first.token));
    await revoke(third.token, await currentOf(second.token));
    expect(await list(third.token)).toMatchObject([{ current: true }]);
  });

  it('contains sessions that have expired only by the clock of an instance', async () => {
    const fiveMinutesMs = 5 * 60_000;
    const instance = await chat.addInstance({ tokens: { refreshMs: fiveMinutesMs } });
    chat.devnet.createAccount('mike');
    const { token } = await instance.logIn('mike');
    jest.useFakeTimers({ now: Date.now() + 2 * fiveMinutesMs, doNotFake: allButDate });
    try {
      expect(await list(token)).toMatchObject([{ current: true }]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('contains nothing that could be used as a credential', async () => {
    const session = await chat.instance.logIn('dave');
    const text = await (await chat.instance.get('/users/sessions', bearer(session.token))).text();
    for (const secret of [session.token, session.refresh_token, session.ws_token]) expect(text).not.toContain(secret);
  });

  row('POST /users/revoke-session', 'ends that session everywhere, and no other', async () => {
    const own = await chat.instance.join('erin');
    const lost = await chat.instance.join('erin');
    const also = await lost.connect();
    const lostId = await currentOf(lost.session.token);
    expect(await revoke(own.session.token, lostId)).toEqual({ success: true });
    for (const socket of [lost.socket, also]) expect((await socket.closed).code).toBe(4020);
    for (const path of ['/users/verify', '/users/sessions', '/messages/conversations']) {
      expect(await chat.instance.getError(path, bearer(lost.session.token))).toMatchObject({ statusCode: 401 });
    }
    expect(await chat.instance.getError('/users/refresh-token', bearer(lost.session.refresh_token))).toMatchObject({
      statusCode: 401,
    });
    const again = await chat.instance.openSocket();
    again.send('authenticate', { token: lost.session.ws_token });
    expect((await again.next('status')).payload.authenticated).toBe(false);
    expect(await own.conversations()).toEqual([]);
    own.socket.send('authenticate');
    expect((await own.socket.next('status')).payload.authenticated).toBe(true);
    expect((await list(own.session.token)).map(({ id }) => id)).not.toContain(lostId);
  });

  it('closes the sockets of that session at other instances within moments', async () => {
    const other = await chat.addInstance();
    const own = await chat.instance.join('frank');
    const lost = await other.join('frank');
    await revoke(own.session.token, await currentOf(lost.session.token));
    expect((await lost.socket.closed).code).toBe(4020);
    expect(await own.conversations()).toEqual([]);
  });

  it('ends the current session', async () => {
    const { session, socket } = await chat.instance.join('grace');
    expect(await revoke(session.token, await currentOf(session.token))).toEqual({ success: true });
    expect((await socket.closed).code).toBe(4020);
    expect(await chat.instance.getError('/users/sessions', bearer(session.token))).toMatchObject({ statusCode: 401 });
  });

  it('does not end sessions of others, or unknown or ended sessions', async () => {
    const victim = await chat.instance.join('heidi');
    const { token } = await chat.instance.logIn('ivan');
    const gone = await chat.instance.logIn('ivan');
    const goneId = await currentOf(gone.token);
    await revoke(token, goneId);
    for (const id of [await currentOf(victim.session.token), nowhere, goneId]) {
      expect(await rejected(token, { id })).toMatchObject({ statusCode: 404, code: 'not-found' });
    }
    expect(await victim.conversations()).toEqual([]);
    victim.socket.send('authenticate');
    expect((await victim.socket.next('status')).payload.authenticated).toBe(true);
  });

  it.each([[{}], [{ id: null }], [{ id: 5 }], [{ id: ['a'] }], [{ id: { $ne: '' } }], [{ id: '' }], [{ id: "a'b" }]])(
    'takes no id of the wrong kind, and names it: %j',
    async (body) => {
      const { token } = await chat.instance.logIn('judy');
      const message = expect.stringContaining('id') as unknown;
      expect(await rejected(token, body)).toMatchObject({ statusCode: 400, code: 'invalid-request', message });
    },
  );

  it.each([
    ['text/plain', '{"id": "x"}'],
    ['application/json', 'x'],
    ['application/json', '"x"'],
    ['application/json', 'null'],
    ['application/json', '[]'],
    ['application/json', ''],
  ])('rejects a body of type %s that is %j', async (type, body) => {
    const { token } = await chat.instance.logIn('judy');
    const headers = { ...bearer(token), 'Content-Type': type };
    const response = await fetch(`${chat.instance.url}/users/revoke-session`, { method: 'POST', headers, body });
    expect(await errorOf(response)).toMatchObject({ statusCode: 400, code: 'invalid-request' });
  });

  it('requires credentials', async () => {
    const unauthenticated = { statusCode: 401, code: 'unauthenticated' };
    const id = await currentOf((await chat.instance.logIn('judy')).token);
    const { ws_token, refresh_token } = await chat.instance.logIn('judy');
    for (const headers of [{}, bearer('rubbish'), bearer(ws_token), bearer(refresh_token)]) {
      expect(await chat.instance.getError('/users/sessions', headers)).toMatchObject(unauthenticated);
      expect(await errorOf(await chat.instance.post('/users/revoke-session', { id }, headers))).toMatchObject(
        unauthenticated,
      );
    }
  });
});
