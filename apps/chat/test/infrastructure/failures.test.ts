import { renewedSession, type LoginSession } from '@waggle/contracts';
import { startPostgres, startRedis, type PostgresServer, type RedisServer, until } from '@waggle/testing';
import { Client } from 'pg';
import { migrate } from '../../src/database';
import { ChatUser, errorOf } from '../support/chat-client';
import { type ChatSocket } from '../support/chat-socket';
import { ChatUnderTest, shortTimeout } from '../support/chat-under-test';
import { loginPath } from '../support/login-path';

describe('while PostgreSQL is unavailable', () => {
  let postgres: PostgresServer;
  let chat: ChatUnderTest;
  beforeAll(async () => {
    postgres = await startPostgres({ dataDir: 'temporary' });
    await migrate(postgres.url());
    chat = await ChatUnderTest.start(shortTimeout, { url: postgres.url(), drop: () => postgres.stop() });
  });
  afterEach(() => chat.instance.close());
  afterAll(() => chat.stop());

  const isReady = async () => (await chat.instance.get('/health/ready')).status === 200;
  const isSomebodyWaitingForALock = async (database: Client) =>
    (await database.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount !== 0;

  const openDatabase = async () => {
    const database = new Client({ connectionString: postgres.url() });
    database.on('error', () => undefined);
    await database.connect();
    return database;
  };

  it('replies with `unavailable`, stays connected, does not flood the log, and recovers', async () => {
    const alice = await chat.instance.join('alice');
    const bob = await chat.instance.join('bob');
    const { id: conversation_id } = await alice.open('bob', 'before');
    expect(await bob.nextText()).toBe('before');

    await postgres.kill();
    const linesBefore = chat.instance.logLines.filter((line) => line.includes('"level":"error"')).length;
    for (const [type, payload] of [
      ['chat-message', { conversation_id, message: 'into the void' }],
      ['chat-message', { to: 'bob', message: 'into the void' }],
      ['acknowledgment', { conversation_id }],
      ['create-conversation', { to: 'carol', message: 'into the void' }],
      ['authenticate', { token: alice.session.ws_token }],
    ] as const) {
      expect(await alice.socket.requestError(type, payload)).toMatchObject({
        code: 'unavailable',
        request_type: type,
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
      expect([path, response.headers.get('Retry-After')]).toEqual([path, '1']);
      expect(await errorOf(response)).toMatchObject({ statusCode: 503, code: 'unavailable' });
    }
    expect((await chat.instance.getError(loginPath('carol'))).code).toBe('unavailable');
    expect((await chat.instance.get('/health/live')).status).toBe(200);
    const ready = await chat.instance.get('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([503, { checks: { database: 'down' } }]);
    for (let i = 0; i < 200; i += 1) alice.socket.send('acknowledgment', { conversation_id });
    await alice.socket.nextPayloads('error', 200);
    const errors = chat.instance.logLines.filter((line) => line.includes('"level":"error"')).slice(linesBefore);
    expect(errors.length).toBeLessThan(10);
    expect(errors.join('')).not.toContain('into the void');

    await postgres.start();
    await until(isReady);
    await alice.say(conversation_id, 'after');
    expect(await bob.nextText()).toBe('after');
    const history = await bob.history(conversation_id);
    expect(history.map(({ content }) => content)).toEqual(['before', 'after']);
  });

  /** Two users with a dm of their own. */
  const talk = async (one: string, two: string) => {
    const a = await chat.instance.join(one);
    const b = await chat.instance.join(two);
    return { a, b, id: (await a.open(two)).id };
  };

  it('replies in time while the server hangs, and recovers when it continues', async () => {
    const { a, id } = await talk('carol', 'dave');
    postgres.pause();
    const startedAtMs = performance.now();
    const [error, response, ready] = await Promise.all([
      a.socket.requestError('chat-message', { conversation_id: id, message: 'into the fog' }, 20_000),
      a.getError('/messages/new'),
      chat.instance.get('/health/ready'),
    ]);
    expect(error).toMatchObject({ code: 'unavailable', retry_after_ms: expect.any(Number) });
    expect([response.statusCode, ready.status]).toEqual([503, 503]);
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
    postgres.resume();
    await until(isReady);
    await a.say(id, 'clear again');
  });

  it('does not delay other conversations for long while one is locked', async () => {
    const held = await talk('erin', 'frank');
    const free = await talk('grace', 'heidi');
    const database = await openDatabase();
    const holder = await openDatabase();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM conversation WHERE id = $1 FOR UPDATE', [held.id]);
    for (let i = 0; i < 5; i += 1) held.a.socket.send('chat-message', { conversation_id: held.id, message: String(i) });
    await until(() => isSomebodyWaitingForALock(database));

    const startedAtMs = performance.now();
    // A message in the same statement as a locked conversation fails too, and its client retries.
    await sayWithRetries(free.a.socket, free.id, 'not held');
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
    const rejected = await held.a.socket.nextPayloads('error', 5);
    expect(rejected.map(({ code }) => code)).toEqual(Array(5).fill('unavailable'));
    await holder.query('ROLLBACK');
    await Promise.all([holder.end(), database.end()]);

    expect((await free.b.history(free.id)).map(({ content }) => content)).toEqual(['hello', 'not held']);
    await held.a.say(held.id, 'at last');
    expect((await held.b.history(held.id)).map(({ content }) => content)).toEqual(['hello', 'at last']);
  });

  it('survives a database that dies in the middle of a transaction', async () => {
    const ivan = await chat.instance.join('ivan');
    const holder = await openDatabase();
    const database = await openDatabase();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE member IN ACCESS EXCLUSIVE MODE');
    const errorCode = ivan.socket.requestError('create-conversation', { to: 'judy', message: 'half done' }, 15_000);
    await until(() => isSomebodyWaitingForALock(database));
    await database.end();
    await postgres.kill();
    expect((await errorCode).code).toBe('unavailable');
    await postgres.start();
    await until(isReady);
    const { id } = await ivan.open('judy', 'whole');
    expect((await ivan.history(id)).map(({ content }) => content)).toEqual(['whole']);
  });

  it('accepts a proof again after an internal error at its first use', async () => {
    const database = await openDatabase();
    await database.query('ALTER TABLE session RENAME TO away');
    const path = loginPath('judy');
    expect((await chat.instance.get(path)).status).toBe(500);
    await database.query('ALTER TABLE away RENAME TO session');
    await database.end();
    expect((await chat.instance.get(path)).status).toBe(200);
  });

  it('does not log the text of a message that the database rejects', async () => {
    const { a, id } = await talk('ivan', 'grace');
    const database = await openDatabase();
    await database.query("ALTER TABLE message ADD CONSTRAINT test CHECK (content <> 'a secret text')");
    const secret = { conversation_id: id, message: 'a secret text' };
    expect((await a.socket.requestError('chat-message', secret)).code).toBe('unavailable');
    await database.query('ALTER TABLE message DROP CONSTRAINT test');
    await database.end();
    const log = chat.instance.logLines.join('');
    expect(log).toContain('violates check constraint');
    expect(log).not.toContain('a secret text');
  });
});

/** Sends a message, and repeats it after temporary errors until it is delivered. */
async function sayWithRetries(socket: ChatSocket, conversation_id: string, message: string): Promise<void> {
  for (;;) {
    socket.send('chat-message', { conversation_id, message });
    const frame = await socket.nextMatching(({ type }) => type === 'chat-message' || type === 'error');
    if (frame.type === 'error') expect(frame.payload.code).toBe('unavailable');
    else return;
  }
}

describe('while Redis is unavailable', () => {
  let redis: RedisServer;
  let chat: ChatUnderTest;
  beforeAll(async () => {
    redis = await startRedis();
    chat = await ChatUnderTest.startWithRedis({}, redis.url);
  });
  afterAll(async () => {
    await chat.stop();
    await redis.stop();
  });

  const expectNoLogInAndAllTheRest = async (session: LoginSession) => {
    const [logIn, ready, live] = await Promise.all([
      chat.instance.getError(loginPath('carol')),
      chat.instance.get('/health/ready'),
      chat.instance.get('/health/live'),
    ]);
    expect(logIn).toMatchObject({ statusCode: 503, code: 'unavailable' });
    // Otherwise a load balancer would send no requests to any instance.
    expect([ready.status, await ready.json()]).toMatchObject([200, { checks: { database: 'up', redis: 'down' } }]);
    expect(live.status).toBe(200);

    const alice = new ChatUser(chat.instance, session, await chat.instance.connect(session.ws_token));
    const { id } = await alice.open('bob', 'without Redis');
    expect((await alice.history(id)).at(-1)?.content).toBe('without Redis');
    const renewed = await chat.instance.getJson('/users/refresh-token', session.refresh_token, renewedSession);
    expect((await chat.instance.getJson('/users/verify', renewed.token, renewedSession)).username).toBe('alice');
  };
  const expectLogIn = () => until(async () => (await chat.instance.get(loginPath('carol'))).status === 200);

  it('rejects log-ins with `unavailable`, serves existing sessions, and recovers', async () => {
    const session = await chat.instance.logIn('alice');
    expect((await chat.instance.get('/health/ready')).status).toBe(200);
    await redis.kill();
    await expectNoLogInAndAllTheRest(session);
    await redis.start();
    await expectLogIn();
    expect((await chat.instance.get('/health/ready')).status).toBe(200);
  });

  it('rejects log-ins within seconds if Redis hangs', async () => {
    const session = await chat.instance.logIn('alice');
    redis.pause();
    const startedAtMs = performance.now();
    await expectNoLogInAndAllTheRest(session);
    expect(performance.now() - startedAtMs).toBeLessThan(8_000);
    redis.resume();
    await expectLogIn();
  });

  it('accepts a proof that it could not check, once, when Redis is back', async () => {
    const path = loginPath('dave');
    await redis.kill();
    expect((await chat.instance.getError(path)).code).toBe('unavailable');
    await redis.start();
    await expectLogIn();
    expect((await chat.instance.get(path)).status).toBe(200);
    expect((await chat.instance.getError(path)).code).toBe('proof-replayed');
  });
});

describe('while no Hive node responds', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start({ hive: { authorityCacheMs: 1 } });
  });
  afterAll(() => chat.stop());

  it('serves requests that do not need the chain, and rejects others with `unavailable`', async () => {
    const alice = await chat.instance.join('alice');
    const { id } = await alice.open('bob');

    await chat.devnet.node.kill();
    const toErin = { to: 'erin', message: 'hello' };
    expect(await alice.socket.requestError('create-conversation', toErin)).toMatchObject({
      code: 'unavailable',
      retry_after_ms: expect.any(Number),
    });
    await alice.say(id, 'still here');
    expect((await chat.instance.get('/health/ready')).status).toBe(200);

    await chat.devnet.node.revive();
    expect((await alice.open('erin')).members).toEqual(['erin', 'alice']);
  });

  it('serves existing sessions from its start, and is ready once a node responds', async () => {
    const { session } = await chat.instance.join('alice');
    await chat.devnet.node.kill();
    const late = await chat.addInstance();
    const ready = await late.get('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([503, { checks: { database: 'up', hive: 'down' } }]);
    expect((await late.get('/messages/conversations', { Authorization: session.token })).status).toBe(200);
    await chat.devnet.node.revive();
    await until(async () => (await late.get('/health/ready')).status === 200);
  });

  it.each(['html', 'truncated', 'wrong-id', 502] as const)(
    'treats a response of the kind %s as a failure',
    async (wrong) => {
      chat.devnet.node.misbehave({ wrong });
      expect((await chat.instance.get(loginPath('frank'))).status).toBe(503);
      chat.devnet.node.behave();
      expect((await chat.instance.get(loginPath('frank', { text: 'other' }))).status).toBe(401);
    },
  );

  it('does not read account responses of several megabytes', async () => {
    chat.devnet.node.misbehave({ distort: (_call, result) => Object.assign({ padding: 'x'.repeat(4e6) }, result) });
    expect((await chat.instance.get(loginPath('grace'))).status).toBe(503);
    chat.devnet.node.behave();
    expect((await chat.instance.get(loginPath('grace'))).status).toBe(200);
  });
});
