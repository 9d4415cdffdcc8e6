import { WebSocketClient } from '@waggle/testing';
import { ChatUnderTest } from './chat-under-test';

describe('WebSocket authenticate', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterAll(() => chat.stop());

  const connect = (headers: Record<string, string> = {}, query = '', path = '/ws') =>
    WebSocketClient.connect(chat.instance.url.replace('http', 'ws') + path + query, { headers });

  const authenticated = async (socket: WebSocketClient, payload: unknown = {}) => {
    socket.send('authenticate', payload);
    const frame = await socket.next('status');
    expect(frame).toEqual({ type: 'status', payload: { authenticated: expect.any(Boolean) } });
    return frame.payload['authenticated'];
  };

  it('is proven by the frame: ws_token or access token, with the username or without', async () => {
    const { token, ws_token } = await chat.instance.logIn('alice');
    for (const payload of [
      { token: ws_token },
      { token },
      { token, username: 'alice' },
      { token, username: null, more: 1 },
    ]) {
      const socket = await connect();
      expect(await authenticated(socket, payload)).toBe(true);
      await socket.close();
    }
  });

  it('is proven by what came with the upgrade request, at /ws and at /', async () => {
    const { token, ws_token } = await chat.instance.logIn('alice');
    for (const path of ['/ws', '/']) {
      const sockets = [
        await connect({ Authorization: `Bearer ${token}` }, '', path),
        await connect({ Authorization: ws_token }, '', path),
        await connect({ Cookie: `access_token=${token}` }, '', path),
        await connect({ Cookie: `access_token=${token}`, Origin: 'https://app.example' }, '', path),
        await connect({}, `?token=${ws_token}`, path),
      ];
      for (const socket of sockets) {
        expect(await authenticated(socket)).toBe(true);
        await socket.close();
      }
    }
  });

  it.each([
    ['nothing', {}, {}],
    ['a token that is none', {}, { token: 'rubbish' }],
    ['the cookie on the page of a stranger', { Origin: 'https://stranger.example' }, {}],
  ])('refuses %s: status false, then 4004', async (_what, headers, payload) => {
    const { token } = await chat.instance.logIn('alice');
    const socket = await connect('Origin' in headers ? { ...headers, Cookie: `access_token=${token}` } : headers);
    expect(await authenticated(socket, payload)).toBe(false);
    expect((await socket.closed).code).toBe(4004);
  });

  it('refuses a refresh token, and the token of another than the username', async () => {
    const { token, refresh_token } = await chat.instance.logIn('alice');
    for (const payload of [{ token: refresh_token }, { token, username: 'bob' }]) {
      const socket = await connect();
      expect(await authenticated(socket, payload)).toBe(false);
      expect((await socket.closed).code).toBe(4004);
    }
  });

  it('takes the word Bearer before a token, and no token for none', async () => {
    const { token } = await chat.instance.logIn('alice');
    const socket = await connect({ Authorization: token });
    expect(await authenticated(socket, { token: `Bearer ${token}` })).toBe(true);
    expect(await authenticated(socket, { token: '', username: '' })).toBe(true);
    await socket.close();
  });

  it('is decided by the token of the frame alone, not by the cookie of somebody else', async () => {
    const bob = await chat.instance.logIn('bob');
    const socket = await connect({ Cookie: `access_token=${bob.token}` });
    expect(await authenticated(socket, { token: 'rubbish' })).toBe(false);
    expect((await socket.closed).code).toBe(4004);
  });

  it('may be repeated, also empty', async () => {
    const { session, socket } = await chat.instance.join('alice');
    expect(await authenticated(socket)).toBe(true);
    expect(await authenticated(socket, { token: session.token })).toBe(true);
    expect(await authenticated(socket)).toBe(true);
    await socket.close();
  });

  it("makes the connection another account's when that account proves itself", async () => {
    const { socket } = await chat.instance.join('alice');
    const bob = await chat.instance.logIn('bob');
    expect(await authenticated(socket, { token: bob.token })).toBe(true);
    const { socket: carol } = await chat.instance.join('carol');
    carol.send('create-conversation', { to: 'alice', message: 'for alice alone' });
    await carol.next('chat-message');
    carol.send('create-conversation', { to: 'bob', message: 'for bob' });
    expect((await socket.next('chat-message')).payload['content']).toBe('for bob');
    expect(JSON.stringify(socket.frames)).not.toContain('for alice alone');
    await socket.close();
    await carol.close();
  });

  it('comes before everything else: other frames are refused and the connection stays', async () => {
    const { token } = await chat.instance.logIn('alice');
    const socket = await connect();
    socket.send('acknowledgment', { conversation_id: '01J' }, { ref: 'r1' });
    expect(await socket.next('error')).toEqual({
      type: 'error',
      ref: 'r1',
      payload: { code: 'unauthenticated', message: expect.any(String), request_type: 'acknowledgment', ref: 'r1' },
    });
    expect(await authenticated(socket, { token })).toBe(true);
    await socket.close();
  });

  it('is done before the frame after it is looked at', async () => {
    const { token } = await chat.instance.logIn('alice');
    const socket = await connect();
    socket.send('authenticate', { token });
    socket.send('create-conversation', { to: 'bob', message: 'right behind' });
    expect((await socket.next('chat-message')).payload['content']).toBe('right behind');
    await socket.close();
  });

  it('answers 404 to an upgrade anywhere else', async () => {
    await expect(connect({}, '', '/elsewhere')).rejects.toThrow('404');
  });
});

describe('WebSocket authenticate in time', () => {
  it('closes with 4003 a connection that does not authenticate', async () => {
    const chat = await ChatUnderTest.start({ realtime: { authenticationDeadlineMs: 200 } });
    try {
      const socket = await WebSocketClient.connect(chat.instance.websocketUrl);
      expect((await socket.closed).code).toBe(4003);
      const { socket: kept } = await chat.instance.join('alice');
      const late = await WebSocketClient.connect(chat.instance.websocketUrl);
      expect((await late.closed).code).toBe(4003);
      expect(kept.frames.map(({ type }) => type)).toEqual(['status']);
      kept.send('authenticate');
      await kept.next('status');
      await kept.close();
    } finally {
      await chat.stop();
    }
  });
});

describe('re-authentication', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start({ tokens: { accessMs: 3_000 }, realtime: { reauthenticationNoticeMs: 2_000 } });
  });
  afterAll(() => chat.stop());

  it('is asked for ahead of the end, and the connection is closed with 4009 at the end', async () => {
    const { socket } = await chat.instance.join('alice');
    expect(await socket.next('reauthentication-required')).toEqual({
      type: 'reauthentication-required',
      payload: { username: 'alice' },
    });
    expect((await socket.closed).code).toBe(4009);
  });

  it('by /users/refresh-token extends the open sockets of the session, also those at another instance', async () => {
    const other = await chat.addInstance({
      tokens: { accessMs: 3_000 },
      realtime: { reauthenticationNoticeMs: 2_000 },
    });
    const { session, socket } = await chat.instance.join('alice');
    const there = await other.connect(session.ws_token);
    for (let round = 0; round < 2; round += 1) {
      await Promise.all([socket.next('reauthentication-required'), there.next('reauthentication-required')]);
      const renewed = await chat.instance.get('/users/refresh-token', {
        Authorization: `Bearer ${session.refresh_token}`,
      });
      expect(renewed.status).toBe(200);
    }
    await Promise.all([socket.next('reauthentication-required'), there.next('reauthentication-required')]);
    for (const each of [socket, there]) {
      each.send('authenticate');
      await each.next('status');
      await each.close();
    }
  }, 20_000);

  it('is not asked for when the session was renewed in time, and then not before the new end nears', async () => {
    const { session, socket } = await chat.instance.join('alice');
    const joinedAtMs = Date.now();
    let noticeAtMs = 0;
    const notice = socket.next('reauthentication-required').then(() => (noticeAtMs = Date.now()));
    while (Date.now() - joinedAtMs < 700) {
      await chat.instance.get('/users/refresh-token', { Authorization: session.refresh_token });
    }
    await notice;
    expect(noticeAtMs - joinedAtMs).toBeGreaterThan(1_500);
    await socket.close();
  });

  it('is asked for once for each end, though the client answers with an old token', async () => {
    const { session, socket } = await chat.instance.join('alice');
    await socket.next('reauthentication-required');
    for (let i = 0; i < 20; i += 1) {
      socket.send('authenticate', { token: session.ws_token });
      expect((await socket.next('status')).payload).toEqual({ authenticated: true });
    }
    expect((await socket.closed).code).toBe(4009);
    expect(socket.frames.filter(({ type }) => type === 'reauthentication-required')).toHaveLength(1);
  });

  it('is not cut short by an older token', async () => {
    const { session, socket } = await chat.instance.join('alice');
    await socket.next('reauthentication-required');
    socket.send('authenticate');
    socket.send('authenticate', { token: session.ws_token });
    await socket.next('reauthentication-required');
    expect(socket.frames.map(({ type }) => type)).toEqual([
      'status',
      'reauthentication-required',
      'status',
      'status',
      'reauthentication-required',
    ]);
    await socket.close();
  });

  it('by an empty authenticate extends the connection', async () => {
    const { socket } = await chat.instance.join('alice');
    await socket.next('reauthentication-required');
    socket.send('authenticate');
    expect((await socket.next((frame) => frame.type === 'status')).payload).toEqual({ authenticated: true });
    await socket.next('reauthentication-required');
    await socket.close();
  });
});
