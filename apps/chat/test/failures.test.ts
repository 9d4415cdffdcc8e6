import { type Message } from '@waggle/contracts';
import { startPostgres, type PostgresServer } from '@waggle/testing';
import { migrate } from '../src/database';
import { ChatUnderTest, loginPath } from './chat-under-test';

describe('while PostgreSQL is gone', () => {
  let postgres: PostgresServer;
  let chat: ChatUnderTest;
  beforeAll(async () => {
    postgres = await startPostgres({ dataDir: 'temporary' });
    await migrate(postgres.url());
    chat = await ChatUnderTest.start({}, { url: postgres.url(), drop: () => postgres.stop() });
  }, 60_000);
  afterAll(() => chat.stop());

  const repeatUntil = async (done: () => Promise<boolean>) => {
    while (!(await done())) await new Promise(setImmediate);
  };

  it('refuses what it cannot do with `unavailable`, stays connected, floods no log, and recovers by itself', async () => {
    const alice = await chat.instance.join('alice');
    const bob = await chat.instance.join('bob');
    alice.socket.send('create-conversation', { to: 'bob', message: 'before' });
    const conversation_id = String((await bob.socket.next('conversation-created')).payload['id']);
    await bob.socket.next('chat-message');

    await postgres.kill();
    const linesBefore = chat.instance.logLines.filter((line) => line.includes('"level":"error"')).length;
    for (const [type, payload] of [
      ['chat-message', { conversation_id, message: 'into the void' }],
      ['chat-message', { to: 'bob', message: 'into the void' }],
      ['acknowledgment', { conversation_id }],
      ['create-conversation', { to: 'carol', message: 'into the void' }],
      ['authenticate', { token: alice.session.ws_token }],
    ] as const) {
      alice.socket.send(type, payload, { ref: type });
      expect((await alice.socket.next('error')).payload).toEqual({
        code: 'unavailable',
        message: expect.any(String),
        request_type: type,
        ref: type,
        retry_after_ms: expect.any(Number),
      });
    }
    for (const path of [
      '/users/verify',
      '/messages/new',
      '/messages/conversations',
      `/messages/chats?conversation_id=${conversation_id}`,
    ]) {
      const response = await chat.instance.get(path, { Authorization: alice.session.token });
      expect([path, response.status, response.headers.get('Retry-After')]).toEqual([path, 503, '1']);
    }
    expect((await chat.instance.get(loginPath('carol'))).status).toBe(503);
    expect((await chat.instance.get('/health/live')).status).toBe(200);
    const ready = await chat.instance.get('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([503, { checks: { database: 'down' } }]);
    for (let i = 0; i < 200; i += 1) alice.socket.send('acknowledgment', { conversation_id });
    for (let i = 0; i < 200; i += 1) await alice.socket.next('error');
    const errors = chat.instance.logLines.filter((line) => line.includes('"level":"error"')).slice(linesBefore);
    expect(errors.length).toBeLessThan(10);
    expect(errors.join('')).not.toContain('into the void');

    await postgres.start();
    await repeatUntil(async () => (await chat.instance.get('/health/ready')).status === 200);
    alice.socket.send('chat-message', { conversation_id, message: 'after' });
    expect((await bob.socket.next('chat-message')).payload['content']).toBe('after');
    const history = await chat.instance.getJson<Message[]>(
      `/messages/chats?conversation_id=${conversation_id}`,
      bob.session.token,
    );
    expect(history.map(({ content }) => content)).toEqual(['before', 'after']);
    await alice.socket.close();
    await bob.socket.close();
  }, 60_000);

  it('answers in good time even when the server hangs', async () => {
    const { token } = await chat.instance.logIn('alice');
    postgres.pause();
    const ready = await chat.instance.get('/health/ready');
    postgres.resume();
    expect(ready.status).toBe(503);
    expect((await chat.instance.get('/messages/new', { Authorization: token })).status).toBe(200);
  }, 30_000);
});

describe('while no Hive node answers', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start({ hive: { authorityCacheMs: 1 } });
  });
  afterAll(() => chat.stop());

  it('serves what needs no chain, and refuses the rest with `unavailable`', async () => {
    const alice = await chat.instance.join('alice');
    alice.socket.send('create-conversation', { to: 'bob', message: 'hello' });
    const conversation_id = String((await alice.socket.next('conversation-created')).payload['id']);
    await alice.socket.next('chat-message');

    await chat.devnet.node.kill();
    alice.socket.send('create-conversation', { to: 'erin', message: 'hello' });
    expect((await alice.socket.next('error')).payload).toMatchObject({
      code: 'unavailable',
      retry_after_ms: expect.any(Number),
    });
    alice.socket.send('chat-message', { conversation_id, message: 'still here' });
    expect((await alice.socket.next('chat-message')).payload['content']).toBe('still here');
    expect((await chat.instance.get('/health/ready')).status).toBe(200);

    await chat.devnet.node.revive();
    alice.socket.send('create-conversation', { to: 'erin', message: 'hello' });
    expect((await alice.socket.next('conversation-created')).payload['members']).toEqual(['alice', 'erin']);
    await alice.socket.close();
  });

  it.each(['html', 'truncated', 'wrong-id', 502] as const)(
    'takes an answer of the kind %s for no answer',
    async (wrong) => {
      chat.devnet.node.misbehave({ wrong });
      expect((await chat.instance.get(loginPath('frank'))).status).toBe(503);
      chat.devnet.node.behave();
      expect((await chat.instance.get(loginPath('frank', { text: 'other' }))).status).toBe(401);
    },
  );
});
