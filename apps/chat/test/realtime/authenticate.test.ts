import { generateKeyPairSync } from 'node:crypto';
import { bearer } from '../support/chat-client';
import { type ChatSocket } from '../support/chat-socket';
import { ChatUnderTest } from '../support/chat-under-test';
import { HeldLock } from '../support/held-lock';
import { row } from '../support/interface-rows';
import { changed, resigned, signedBy } from '../support/signed-tokens';

describe('WebSocket authenticate', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterAll(() => chat.stop());

  const connect = (headers: Record<string, string> = {}, query = '', path = '/ws') =>
    chat.instance.openSocket({ headers, query, path });

  const authenticated = async (socket: ChatSocket, payload: object = {}) =>
    (await socket.request('authenticate', payload, 'status')).authenticated;

  const rejected = async (token: string) => {
    const socket = await connect();
    expect(await authenticated(socket, { token })).toBe(false);
    expect((await socket.closed).code).toBe(4004);
  };

  row(
    ['frame authenticate', 'event status', 'transition connected → authenticated', 'authentication 3: WebSocket'],
    'is proven by the frame: ws_token or access token, with the username or without',
    async () => {
      const { token, ws_token } = await chat.instance.logIn('alice');
      for (const payload of [
        { token: ws_token },
        { token },
        { token, username: 'alice' },
        { token, username: null, more: 1 },
      ]) {
        const socket = await connect();
        expect(await authenticated(socket, payload)).toBe(true);
      }
    },
  );

  it('accepts the credentials of the upgrade request, at /ws and at /', async () => {
    const { token, ws_token } = await chat.instance.logIn('alice');
    for (const path of ['/ws', '/']) {
      const sockets = [
        await connect({ Authorization: `Bearer ${token}` }, '', path),
        await connect({ Authorization: ws_token }, '', path),
        await connect({ Cookie: `access_token=${token}` }, '', path),
        await connect({ Cookie: `access_token=${token}`, Origin: 'https://app.example' }, '', path),
        await connect({}, `?token=${ws_token}`, path),
      ];
      for (const socket of sockets) expect(await authenticated(socket)).toBe(true);
    }
  });

  it.each([
    ['nothing', {}, {}],
    ['a token that is none', {}, { token: 'rubbish' }],
    ['the cookie on the page of a stranger', { Origin: 'https://stranger.example' }, {}],
  ])('rejects %s with status false, then 4004', async (_what, headers, payload) => {
    const { token } = await chat.instance.logIn('alice');
    const socket = await connect('Origin' in headers ? { ...headers, Cookie: `access_token=${token}` } : headers);
    expect(await authenticated(socket, payload)).toBe(false);
    expect((await socket.closed).code).toBe(4004);
  });

  it.each([
    ['its signature', ([header, payload, signature]: string[]) => [header, payload, mirrored(signature)]],
    ['its account', ([header, payload, signature]: string[]) => [header, changed(payload, { sub: 'bob' }), signature]],
    ['its end', ([header, payload, signature]: string[]) => [header, changed(payload, { exp: 9e9 }), signature]],
    ['its algorithm', ([header, payload]: string[]) => [changed(header, { alg: 'none' }), payload, '']],
  ])('rejects a token whose %s was replaced', async (_what, tamper) => {
    const { token, ws_token } = await chat.instance.logIn('alice');
    for (const right of [token, ws_token]) await rejected(tamper(right.split('.')).join('.'));
  });

  it('rejects an expired token, and one signed by another key', async () => {
    const { ws_token } = await chat.instance.logIn('alice');
    const nowS = Math.floor(Date.now() / 1_000);
    const anotherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const [header, payload] = ws_token.split('.');
    await rejected(resigned(ws_token, { exp: nowS - 1 }));
    await rejected(signedBy(header, payload, anotherKey));
    // The two are not rejected because of their signature.
    const socket = await connect();
    expect(await authenticated(socket, { token: resigned(ws_token, { exp: nowS + 60 }) })).toBe(true);
  });

  row(
    ['event status', 'transition connected → authenticated', 'authentication 3: WebSocket'],
    'rejects a refresh token, and a token of another account than username, with status false, then 4004',
    async () => {
      const { token, refresh_token } = await chat.instance.logIn('alice');
      for (const payload of [{ token: refresh_token }, { token, username: 'bob' }]) {
        const socket = await connect();
        expect(await authenticated(socket, payload)).toBe(false);
        expect((await socket.closed).code).toBe(4004);
      }
    },
  );

  it('accepts a token after the word Bearer, and treats an empty token as absent', async () => {
    const { token } = await chat.instance.logIn('alice');
    const socket = await connect({ Authorization: token });
    expect(await authenticated(socket, { token: `Bearer ${token}` })).toBe(true);
    expect(await authenticated(socket, { token: '', username: '' })).toBe(true);
  });

  it.each(['', 'null', 'undefined', 'Bearer '])('treats %p in the query and the frame as no token', async (nothing) => {
    const { token } = await chat.instance.logIn('alice');
    const socket = await connect({ Cookie: `access_token=${token}` }, `?token=${encodeURIComponent(nothing)}`);
    expect(await authenticated(socket, { token: nothing })).toBe(true);
  });

  it('uses the token of the frame, not the cookie of another account', async () => {
    const bob = await chat.instance.logIn('bob');
    const socket = await connect({ Cookie: `access_token=${bob.token}` });
    expect(await authenticated(socket, { token: 'rubbish' })).toBe(false);
    expect((await socket.closed).code).toBe(4004);
  });

  it('can be repeated, even with an empty payload', async () => {
    const { session, socket } = await chat.instance.join('alice');
    expect(await authenticated(socket)).toBe(true);
    expect(await authenticated(socket, { token: session.token })).toBe(true);
    expect(await authenticated(socket)).toBe(true);
  });

  it('switches the connection to another account with a token of that account', async () => {
    const { socket } = await chat.instance.join('alice');
    const bob = await chat.instance.logIn('bob');
    expect(await authenticated(socket, { token: bob.token })).toBe(true);
    const carol = await chat.instance.join('carol');
    await carol.open('alice', 'for alice alone');
    await carol.open('bob', 'for bob');
    expect((await socket.next('chat-message')).payload.content).toBe('for bob');
    expect(JSON.stringify(socket.frames)).not.toContain('for alice alone');
  });

  it('waits for messages of the previous account, so that the new account does not receive the replies', async () => {
    const { socket } = await chat.instance.join('alice');
    const carol = await chat.instance.join('carol');
    const { id } = await carol.open('alice', 'hello');
    const { token } = await chat.instance.logIn('bob');
    const heldLock = await HeldLock.connect(chat.database);
    await heldLock.acquire({ text: 'SELECT FROM conversation WHERE id = $1 FOR UPDATE', values: [id] });
    socket.send('chat-message', { conversation_id: id, message: 'from alice' }, { ref: 'message' });
    await heldLock.waitForWaiting(1);
    socket.send('authenticate', { token }, { ref: 'as bob' });
    // Takes longer than the authentication of the other socket would take if it did not wait.
    await chat.instance.join('bob');
    await heldLock.release();
    await heldLock.disconnect();
    await socket.nextMatching(({ ref }) => ref === 'as bob');
    await carol.socket.next('chat-message', ({ content }) => content === 'from alice');
    const replies = socket.frames.filter(({ ref }) => ref !== undefined);
    expect(replies.map(({ ref, type }) => [ref, type])).toEqual([
      ['message', 'chat-message'],
      ['as bob', 'status'],
    ]);
  });

  it('closes with 4020 a connection whose session ends while its account is being subscribed', async () => {
    const { token } = await chat.instance.logIn('heidi');
    const socket = await connect();
    const heldLock = await HeldLock.connect(chat.database);
    await heldLock.acquire({ text: 'LOCK TABLE account_stream' });
    try {
      socket.send('authenticate', { token });
      await heldLock.waitForWaiting(1);
      expect((await chat.instance.get('/users/logout', bearer(token))).status).toBe(204);
      expect((await socket.closed).code).toBe(4020);
    } finally {
      await heldLock.release();
      await heldLock.disconnect();
    }
  });

  it('is required before all other frames, which are rejected without closing the connection', async () => {
    const { token } = await chat.instance.logIn('alice');
    const socket = await connect();
    socket.send('acknowledgment', { conversation_id: '01J' }, { ref: 'r1' });
    expect(await socket.next('error')).toEqual({
      type: 'error',
      ref: 'r1',
      payload: { code: 'unauthenticated', message: expect.any(String), request_type: 'acknowledgment', ref: 'r1' },
    });
    expect(await authenticated(socket, { token })).toBe(true);
  });

  it('completes before the next frame is decoded', async () => {
    const { token } = await chat.instance.logIn('alice');
    const socket = await connect();
    socket.send('authenticate', { token });
    socket.send('create-conversation', { to: 'bob', message: 'right behind' });
    expect((await socket.next('chat-message')).payload.content).toBe('right behind');
  });

  it('responds with 404 to an upgrade at other paths', async () => {
    await expect(connect({}, '', '/elsewhere')).rejects.toThrow('404');
  });
});

describe('the WebSocket authentication timeout', () => {
  row(
    ['authentication 3: WebSocket', 'transition connected → authenticated'],
    'closes with 4003 a connection that does not authenticate, and no other',
    async () => {
      const chat = await ChatUnderTest.start({ realtime: { authenticationDeadlineMs: 2_000 } });
      try {
        const { socket: saved } = await chat.instance.join('alice');
        const late = await chat.instance.openSocket();
        expect((await late.closed).code).toBe(4003);
        expect(saved.frames.map(({ type }) => type)).toEqual(['status']);
        await saved.request('authenticate', {}, 'status');
      } finally {
        await chat.stop();
      }
    },
  );
});

describe('re-authentication by default', () => {
  row(
    [
      'limit reauthentication notice',
      'event reauthentication-required',
      'transition authenticated → notice of the end',
      'authentication 4: renewal',
    ],
    'is required a minute before it expires, with no other effect',
    async () => {
      const chat = await ChatUnderTest.start({ tokens: { accessMs: 62_000 } });
      try {
        const user = await chat.instance.join('alice');
        expect((await user.socket.next('reauthentication-required')).payload).toEqual({ username: 'alice' });
        const aheadMs = Date.parse(user.session.expires_at) - Date.now();
        expect(aheadMs).toBeGreaterThan(55_000);
        expect(aheadMs).toBeLessThanOrEqual(60_000);
        const { members } = await user.open('bob');
        expect(members).toContain('alice');
        const types = user.socket.frames.map(({ type }) => type);
        expect(types).toEqual(['status', 'reauthentication-required', 'conversation-created', 'chat-message']);
      } finally {
        await chat.stop();
      }
    },
  );
});

describe('re-authentication', () => {
  // The expiry of an access token is rounded down to a second, and tests send one after the notice, which must still be
  // valid if the machine stalls for a second.
  const settings = { tokens: { accessMs: 4_000 }, realtime: { reauthenticationNoticeMs: 2_500 } };
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start(settings);
  });
  afterAll(() => chat.stop());

  row(
    'authentication 4: renewal',
    'by /users/refresh-token extends the open sockets of the session, also those at another instance',
    async () => {
      const other = await chat.addInstance(settings);
      const { session, socket } = await chat.instance.join('alice');
      const there = await other.connect(session.ws_token);
      await Promise.all([socket.next('reauthentication-required'), there.next('reauthentication-required')]);
      const renewed = await chat.instance.get('/users/refresh-token', {
        Authorization: `Bearer ${session.refresh_token}`,
      });
      expect(renewed.status).toBe(200);
      await Promise.all([socket.next('reauthentication-required'), there.next('reauthentication-required')]);
      for (const each of [socket, there]) await each.request('authenticate', {}, 'status');
    },
  );

  it('is not required if the session was renewed in time, until the new expiry is near', async () => {
    const { session, socket } = await chat.instance.join('alice');
    const joinedAtMs = Date.now();
    let renewedAtMs = joinedAtMs;
    const notice = socket.next('reauthentication-required').then(() => Date.now() - renewedAtMs);
    while (Date.now() - joinedAtMs < 700) {
      const sentAtMs = Date.now();
      await chat.instance.get('/users/refresh-token', { Authorization: session.refresh_token });
      renewedAtMs = sentAtMs;
    }
    // The new lifetime without the lifetime of the notice, less what is lost in rounding.
    expect(await notice).toBeGreaterThan(1_400);
  });

  it('is required once for each expiry, even if the client replies with an old access token', async () => {
    const { session, socket } = await chat.instance.join('alice');
    await socket.next('reauthentication-required');
    for (let i = 0; i < 20; i += 1) {
      expect(await socket.request('authenticate', { token: session.token }, 'status')).toEqual({ authenticated: true });
    }
    expect((await socket.closed).code).toBe(4009);
    expect(socket.received('reauthentication-required')).toHaveLength(1);
  });

  it('is not cut short by an older access token', async () => {
    const { session, socket } = await chat.instance.join('alice');
    await socket.next('reauthentication-required');
    socket.send('authenticate');
    socket.send('authenticate', { token: session.token });
    await socket.next('reauthentication-required');
    expect(socket.frames.map(({ type }) => type)).toEqual([
      'status',
      'reauthentication-required',
      'status',
      'status',
      'reauthentication-required',
    ]);
  });
});

function mirrored(part = ''): string {
  return Buffer.from(part, 'base64url').reverse().toString('base64url');
}
