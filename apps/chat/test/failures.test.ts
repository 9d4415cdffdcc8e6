import { type Message } from '@waggle/contracts';
import { startPostgres, type PostgresServer } from '@waggle/testing';
import { Client } from 'pg';
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

  /** Two users with a dm of their own. */
  const talk = async (one: string, two: string) => {
    const a = await chat.instance.join(one);
    const b = await chat.instance.join(two);
    a.socket.send('create-conversation', { to: two, message: 'hello' });
    const conversation_id = String((await b.socket.next('conversation-created')).payload['id']);
    await a.socket.next('chat-message');
    return { a, b, conversation_id, close: () => Promise.all([a.socket.close(), b.socket.close()]) };
  };

  it('answers in good time even when the server hangs, and goes on when it goes on', async () => {
    const { a, conversation_id, close } = await talk('carol', 'dave');
    postgres.pause();
    const startedAtMs = performance.now();
    a.socket.send('chat-message', { conversation_id, message: 'into the fog' });
    const [frame, response, ready] = await Promise.all([
      a.socket.next('error', 20_000),
      chat.instance.get('/messages/new', { Authorization: a.session.token }),
      chat.instance.get('/health/ready'),
    ]);
    expect(frame.payload).toMatchObject({ code: 'unavailable', retry_after_ms: expect.any(Number) });
    expect([response.status, ready.status]).toEqual([503, 503]);
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
    postgres.resume();
    await repeatUntil(async () => (await chat.instance.get('/health/ready')).status === 200);
    a.socket.send('chat-message', { conversation_id, message: 'clear again' });
    await a.socket.next((each) => each.payload['content'] === 'clear again');
    await close();
  }, 60_000);

  it('does not let a conversation that somebody holds locked keep the others waiting for long', async () => {
    const held = await talk('erin', 'frank');
    const free = await talk('grace', 'heidi');
    const database = new Client({ connectionString: postgres.url() });
    await database.connect();
    await database.query('BEGIN');
    await database.query('SELECT FROM conversation WHERE id = $1 FOR UPDATE', [held.conversation_id]);
    for (let i = 0; i < 5; i += 1)
      held.a.socket.send('chat-message', { conversation_id: held.conversation_id, message: String(i) });
    free.a.socket.send('chat-message', { conversation_id: free.conversation_id, message: 'not held' });
    for (let i = 0; i < 5; i += 1)
      expect((await held.a.socket.next('error', 15_000)).payload['code']).toBe('unavailable');
    await database.query('ROLLBACK');
    await database.end();
    free.a.socket.send('chat-message', { conversation_id: free.conversation_id, message: 'at last' });
    await free.a.socket.next((each) => each.payload['content'] === 'at last', 10_000);
    await Promise.all([held.close(), free.close()]);
  }, 60_000);

  it('survives a database that dies in the middle of a transaction', async () => {
    const { socket } = await chat.instance.join('ivan');
    const database = new Client({ connectionString: postgres.url() });
    database.on('error', () => undefined);
    await database.connect();
    await database.query('BEGIN');
    await database.query('LOCK TABLE member IN ACCESS EXCLUSIVE MODE');
    socket.send('create-conversation', { to: 'judy', message: 'half done' });
    const waiting = new Client({ connectionString: postgres.url() });
    await waiting.connect();
    await repeatUntil(
      async () => (await waiting.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount === 1,
    );
    await waiting.end();
    await postgres.kill();
    expect((await socket.next('error')).payload['code']).toBe('unavailable');
    await postgres.start();
    await repeatUntil(async () => (await chat.instance.get('/health/ready')).status === 200);
    socket.send('create-conversation', { to: 'judy', message: 'whole' });
    expect((await socket.next('chat-message')).payload['content']).toBe('whole');
    await socket.close();
  }, 60_000);

  it('lets a proof be used again that our own failure has wasted', async () => {
    const database = new Client({ connectionString: postgres.url() });
    await database.connect();
    await database.query('ALTER TABLE session RENAME TO away');
    const path = loginPath('judy');
    expect((await chat.instance.get(path)).status).toBe(500);
    await database.query('ALTER TABLE away RENAME TO session');
    await database.end();
    expect((await chat.instance.get(path)).status).toBe(200);
  });

  it('logs no text of a message that the database refuses', async () => {
    const { a, conversation_id, close } = await talk('ivan', 'grace');
    const database = new Client({ connectionString: postgres.url() });
    await database.connect();
    await database.query("ALTER TABLE message ADD CONSTRAINT test CHECK (content <> 'a secret text')");
    a.socket.send('chat-message', { conversation_id, message: 'a secret text' });
    expect((await a.socket.next('error')).payload['code']).toBe('unavailable');
    await database.query('ALTER TABLE message DROP CONSTRAINT test');
    await database.end();
    const log = chat.instance.logLines.join('');
    expect(log).toContain('violates check constraint');
    expect(log).not.toContain('a secret text');
    await close();
  });
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
