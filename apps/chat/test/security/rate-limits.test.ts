import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClientFrameType, settings } from '@waggle/contracts';
import { Client as LimitedClient, ResponseLimits } from '@waggle/service';
import { devnetKeys } from '@waggle/devnet';
import { botHeaders, siteAndBot, until } from '@waggle/testing';
import { Client } from 'pg';
import WebSocket from 'ws';
import { bearer, errorOf, type ChatUser } from '../support/chat-client';
import { ChatUnderTest, type ChatInstance, type ConfigChanges } from '../support/chat-under-test';
import { defaultRateLimits } from '../../src/config';
import { FrameLimits } from '../../src/realtime/frame-limits';
import { loginPath } from '../support/login-path';
import { row } from '../support/interface-rows';

let chat: ChatUnderTest;
/** Of the test alone: limits that are not shared over Redis apply to one instance. */
let instance: ChatInstance;
beforeAll(async () => {
  chat = await ChatUnderTest.start();
});
/** Idle instances poll the database. */
const started: ChatInstance[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
});
afterAll(() => chat.stop());

async function start(changes: ConfigChanges) {
  instance = await chat.addInstance(changes);
  started.push(instance);
}

/** The header of a trusted proxy for a client at that address. */
const from = (address: string) => ({ 'X-Forwarded-For': address });
const [home, elsewhere] = [from('203.0.113.1'), from('203.0.113.2')];
const behindProxy = { trustedProxies: ['127.0.0.1'] };

/** Within the period of a minute, in whole seconds. */
function expectRetryAfter(value: string | null | undefined) {
  expect(value).toMatch(/^[1-9]\d?$/);
  expect(Number(value)).toBeLessThanOrEqual(60);
}

it('requests of an account are rejected at every address while it has exceeded its bytes of responses', async () => {
  await start(behindProxy);
  const [alice, bob] = [await instance.logIn('alice'), await instance.logIn('bob')];
  instance.provided(ResponseLimits).charge({ client: new LimitedClient('203.0.113.9'), account: 'alice' }, 30e9);
  const ask = ({ token }: { token: string }) => instance.get('/users/friends', { ...bearer(token), ...home });
  const rejected = await ask(alice);
  expect([rejected.status, await errorOf(rejected)]).toMatchObject([429, { code: 'rate-limited' }]);
  expectRetryAfter(rejected.headers.get('Retry-After'));
  expect((await ask(bob)).status).toBe(200);
});

it('limits are those of a named client, found by its address or token', async () => {
  const namedClients = siteAndBot('requests-per-minute', '203.0.113.0/30');
  await start({ ...behindProxy, rateLimits: { requests: 1 }, namedClients });
  const request = (headers: Record<string, string>) => instance.get('/users/verify', headers);
  const statuses: number[] = [];
  for (const headers of [home, elsewhere, home, elsewhere]) statuses.push((await request(headers)).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
  const asBot = { ...from('198.51.100.7'), ...botHeaders };
  for (const status of [401, 401, 429]) expect((await request(asBot)).status).toBe(status);
  expect(await errorOf(await request(asBot))).toMatchObject({ code: 'rate-limited', limit: 'requests-per-minute' });
});

describe('log-ins', () => {
  const statusOf = async (path: string, headers: Record<string, string>) => (await instance.get(path, headers)).status;
  const statuses = async (paths: string[], headers: Record<string, string>) => {
    const statuses: number[] = [];
    for (const path of paths) statuses.push(await statusOf(path, headers));
    return statuses;
  };
  const wrong = (account: string) => loginPath(account, { wif: devnetKeys(account).memo.wif });

  row(
    'limit login rate',
    'to one account are limited at each address, so that another address cannot lock an account out',
    async () => {
      await start({ ...behindProxy, rateLimits: { accountLogins: 2 } });
      expect(await statuses([wrong('alice'), wrong('alice'), wrong('alice')], elsewhere)).toEqual([401, 401, 429]);
      // All frames are rejected, valid or not.
      const rejected = await instance.get(loginPath('alice'), elsewhere);
      expectRetryAfter(rejected.headers.get('Retry-After'));
      expect(await errorOf(rejected)).toMatchObject({ statusCode: 429, code: 'rate-limited' });

      expect(await statusOf(loginPath('alice'), home)).toBe(200);
      expect(await statusOf(loginPath('bob'), elsewhere)).toBe(200);
    },
  );

  it('of one account may come six at once by default, as from a client that logs in five times on a first visit', async () => {
    await start({ ...behindProxy, rateLimits: defaultRateLimits });
    const visits = Array.from({ length: 6 }, () => statusOf(loginPath('alice'), home));
    expect(await Promise.all(visits)).toEqual(visits.map(() => 200));
  });

  row('limit login rate', 'are limited by address, for any accounts, and even if malformed', async () => {
    await start({ ...behindProxy, rateLimits: { logins: 4 } });
    const paths = [loginPath('alice'), '/users/login', '/users/login?username=a&username=b', wrong('bob')];
    expect(await statuses([...paths, loginPath('carol')], home)).toEqual([200, 400, 400, 401, 429]);
    const rejected = await instance.get(loginPath('carol'), home);
    expectRetryAfter(rejected.headers.get('Retry-After'));
    expect(await statusOf(loginPath('carol'), elsewhere)).toBe(200);
  });

  it('that are rejected for their account do not count against others at the address', async () => {
    await start({ ...behindProxy, rateLimits: { accountLogins: 1, logins: 2 } });
    const paths = [loginPath('alice'), loginPath('alice'), loginPath('alice'), loginPath('bob')];
    expect(await statuses(paths, home)).toEqual([200, 429, 429, 200]);
  });

  it('from one /64 of IPv6 are from one address', async () => {
    await start({ ...behindProxy, rateLimits: { logins: 1 } });
    expect(await statusOf(loginPath('alice'), from('2001:db8:1:2::1'))).toBe(200);
    expect(await statusOf(loginPath('alice'), from('2001:db8:1:2:ffff::1'))).toBe(429);
    expect(await statusOf(loginPath('alice'), from('2001:db8:1:3::1'))).toBe(200);
  });

  it('count against the address of an untrusted proxy, regardless of its headers', async () => {
    await start({ rateLimits: { logins: 1 } });
    expect(await statusOf(loginPath('alice'), home)).toBe(200);
    expect(await statusOf(loginPath('alice'), elsewhere)).toBe(429);
  });

  it('are accepted again when the period has passed', async () => {
    await start({ rateLimits: { logins: 1, periodSeconds: 1 } });
    expect(await statusOf(loginPath('alice'), home)).toBe(200);
    let status = 429;
    await until(async () => {
      status = await statusOf(loginPath('alice'), home);
      return status !== 429;
    });
    expect(status).toBe(200);
  });
});

describe('requests', () => {
  it('are limited by address, except health and metrics', async () => {
    await start({ ...behindProxy, rateLimits: { requests: 3 } });
    const { token } = await instance.logIn('alice');
    const verify = (headers: object) => instance.get('/users/verify', { ...bearer(token), ...headers });
    for (const expected of [200, 200, 200, 429]) expect((await verify(home)).status).toBe(expected);
    expectRetryAfter((await verify(home)).headers.get('Retry-After'));
    expect((await verify(elsewhere)).status).toBe(200);
    for (const path of ['/health/live', '/health/ready', '/metrics', '/health/live']) {
      expect((await instance.get(path, home)).status).toBe(200);
    }
  });
});

describe('changes over REST', () => {
  it.each([
    ['/users/settings', (n: number) => ({ dm: { only_from_friends: n % 2 === 1 } }), 200],
    ['/users/channels', (n: number) => ({ name: `channel ${n}` }), 201],
  ])('by %s count as changes by frames, and with those, of the account alone', async (path, bodyOf, done) => {
    await start({ accountLimits: { frames: { perSecond: 1, burst: 30 } } });
    const alice = await instance.join('alice');
    const change = async (n: number, { token } = alice.session) => instance.post(path, bodyOf(n), bearer(token));
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await change(n)).status);
    expect(statuses).toEqual([done, done, done, 429]);
    const rejected = await change(4);
    expectRetryAfter(rejected.headers.get('Retry-After'));
    expect((await errorOf(rejected)).code).toBe('rate-limited');
    expect((await alice.socket.requestError('block-user', { username: 'bob' })).code).toBe('rate-limited');
    expect((await change(6, await instance.logIn('bob'))).status).toBe(done);
    expect((await instance.get('/users/settings', bearer(alice.session.token))).status).toBe(200);
  });
});

it('following a channel by reading it costs a change, and an account that cannot pay only reads', async () => {
  const alice = await chat.instance.join('alice');
  const channels = [];
  for (const name of ['first', 'second', 'third']) channels.push(await alice.createChannel(name));
  await start({ accountLimits: { frames: { perSecond: 0.01, burst: 20 } } });
  const ivan = await instance.join('ivan');
  for (const channel of channels) expect(await ivan.conversation(channel.id)).toMatchObject(channel);
  expect((await ivan.socket.requestError('block-user', { username: 'frank' })).code).toBe('rate-limited');
  const database = new Client({ connectionString: chat.database.url });
  await database.connect();
  const { rows } = await database.query(
    "SELECT conversation_id AS id FROM member WHERE account = 'ivan' AND followed_at IS NOT NULL ORDER BY followed_at",
  );
  await database.end();
  expect(rows).toEqual(channels.slice(0, 2).map(({ id }) => ({ id })));
});

/** Stores dms of an account. */
async function addDms(account: string, count: number) {
  const database = new Client({ connectionString: chat.database.url });
  await database.connect();
  await database.query(
    `WITH dm AS (
       INSERT INTO conversation (id, type, creator, dm_first, dm_second, last_seq, changed_seq)
       SELECT $1 || n, 'dm', $1, least($1 COLLATE "C", 'z-' || n), greatest($1 COLLATE "C", 'z-' || n), 1, 1
       FROM generate_series(1, $2::int) n RETURNING id
     )
     INSERT INTO member (conversation_id, account) SELECT id, $1 FROM dm`,
    [account, count],
  );
  await database.end();
}

it('connecting costs 1 for every 20 conversations, and an account in debt cannot connect', async () => {
  await addDms('judy', 800);
  await start({ accountLimits: { frames: { perSecond: 0.1, burst: 55 } } });
  const judy = await instance.join('judy');
  // Only the first connection reads the conversations: 40 of 55 are spent.
  await judy.connect();
  expect((await judy.socket.requestError('leave-conversation', { conversation_id: '01J' })).code).toBe('not-found');
  expect((await judy.socket.requestError('leave-conversation', { conversation_id: '01J' })).code).toBe('rate-limited');

  instance.provided(FrameLimits).chargeAfterwards('judy', 50);
  const rejected = await instance.openSocket();
  const error = await rejected.requestError('authenticate', { token: judy.session.ws_token });
  expect(error.code).toBe('rate-limited');
  expect(error.retry_after_ms).toBeGreaterThan(0);
  expect((await rejected.closed).code).toBe(4008);
  await instance.join('alice');
});

it('going online, and the capability `presence`, cost 1 for every 20 friends', async () => {
  const database = new Client({ connectionString: chat.database.url });
  await database.connect();
  await database.query(`
    INSERT INTO friendship (first, second)
    SELECT least(friend, 'oscar' COLLATE "C"), greatest(friend, 'oscar' COLLATE "C")
    FROM (SELECT 'alice' UNION SELECT 'friend-' || n FROM generate_series(1, 799) n) AS friends (friend)`);
  await database.end();
  await start({ accountLimits: { frames: { perSecond: 0.1, burst: 95 } } });
  const alice = await instance.join('alice');
  alice.socket.send('authenticate', { capabilities: ['presence'] });
  chat.devnet.createAccount('oscar');
  const oscar = await instance.join('oscar');
  await alice.socket.next('presence-changed', ({ username }) => username === 'oscar');
  oscar.socket.send('authenticate', { capabilities: ['presence'] });
  await oscar.socket.next('presence-changed');
  // 40 + 1 + 40 of 95 are spent.
  expect((await oscar.socket.requestError('leave-conversation', { conversation_id: '01J' })).code).toBe('not-found');
  expect((await oscar.socket.requestError('leave-conversation', { conversation_id: '01J' })).code).toBe('rate-limited');
});

describe('only_from_friends', () => {
  const pace = { perSecond: 1, burst: 40 };
  const set = async ({ session }: ChatUser, only_from_friends: boolean) =>
    instance.post('/users/settings', { dm: { only_from_friends } }, bearer(session.token));
  const isSet = async (user: ChatUser) => (await user.getJson('/users/settings', settings)).dm.only_from_friends;

  /** An account with this number of dms, which it gets after it connects. */
  async function withDms(account: string, count: number): Promise<ChatUser> {
    const user = await instance.join(account);
    await addDms(account, count);
    return user;
  }

  it('costs as much as the dms that it changes when it is switched on, and a change when it is switched off', async () => {
    await start({ accountLimits: { frames: pace } });
    const frank = await withDms('frank', 400);
    // 10 + 400 / 20 and 10 of the 40 that there are.
    expect((await set(frank, true)).status).toBe(200);
    expect((await set(frank, false)).status).toBe(200);
    expect((await frank.socket.requestError('block-user', { username: 'ivan' })).code).toBe('rate-limited');
  });

  it('changes nothing if the allowance is too small, and costs only a change if the setting stays the same', async () => {
    await start({ accountLimits: { frames: pace } });
    const grace = await withDms('grace', 400);
    expect((await set(grace, false)).status).toBe(200);
    expect((await set(grace, false)).status).toBe(200);
    const rejected = await set(grace, true);
    expect(await errorOf(rejected)).toMatchObject({ statusCode: 429, code: 'rate-limited' });
    expectRetryAfter(rejected.headers.get('Retry-After'));
    expect(await isSet(grace)).toBe(false);
    await grace.socket.request('block-user', { username: 'ivan' }, 'user-blocked');
  });

  it('can be set at any cost by an account that has its full allowance', async () => {
    await start({ accountLimits: { frames: pace } });
    const heidi = await withDms('heidi', 1_000);
    expect((await set(heidi, true)).status).toBe(200);
    expect(await isSet(heidi)).toBe(true);
    expect((await set(heidi, false)).status).toBe(429);
  });
});

describe('frames', () => {
  const burst = 30;
  let alice: ChatUser;
  let bob: ChatUser;
  let conversationId: string;

  /** Hardly any come back while a test runs. */
  const slow = { perSecond: 1, burst };
  let slowInstance: ChatInstance;
  beforeAll(async () => {
    slowInstance = await chat.addInstance({ accountLimits: { frames: slow } });
  });

  let conversations = 0;

  /** Each has accounts of its own, which have their full allowance. */
  async function startConversation() {
    instance = slowInstance;
    conversations += 1;
    const join = (name: string) => {
      chat.devnet.createAccount(`${name}-${conversations}`);
      return instance.join(`${name}-${conversations}`);
    };
    alice = await join('alice');
    bob = await join('bob');
    // Creating a conversation uses up the initial allowance.
    const carol = await join('carol');
    conversationId = (await carol.open([alice.account, bob.account])).id;
    await Promise.all([alice, bob].map(({ socket }) => socket.next('chat-message')));
  }

  function write(count: number, socket = alice.socket) {
    for (let n = 0; n < count; n += 1) {
      socket.send('chat-message', { conversation_id: conversationId, message: String(n) }, { ref: n });
    }
  }

  row('limit frame rate', 'beyond the limit of an account are rejected with a retry delay', async () => {
    await startConversation();
    write(burst + 10);
    for (let n = 0; n < burst + 10; n += 1) await alice.socket.nextMatching(({ ref }) => ref === n);
    const rejected = alice.socket.received('error');
    expect(rejected.length).toBeGreaterThan(0);
    for (const error of rejected) {
      expect(error).toMatchObject({ code: 'rate-limited', request_type: 'chat-message' });
      expect(error.retry_after_ms).toBeGreaterThan(0);
      expect(error.retry_after_ms).toBeLessThanOrEqual(1_000);
    }
    const stored = (await alice.history(conversationId)).filter(({ from: sender }) => sender === alice.account);
    const expected = Array.from({ length: burst + 10 }, (_, n) => n).filter(
      (n) => !rejected.some(({ ref }) => ref === n),
    );
    expect(stored.map(({ content }) => Number(content))).toEqual(expected);
    expect(stored.length).toBeGreaterThanOrEqual(burst);
  });

  row('limit frame rate', 'of all connections of an account count together; later ones are let through', async () => {
    await startConversation();
    const second = await alice.connect();
    write(burst);
    await alice.socket.nextMatching(({ ref }) => ref === burst - 1);
    write(10, second);
    expect((await second.next('error')).payload.code).toBe('rate-limited');
    expect((await bob.say(conversationId, 'not me')).content).toBe('not me');

    let waitMs = (await second.next('error')).payload.retry_after_ms;
    while (waitMs !== undefined) {
      await delay(waitMs);
      second.send('chat-message', { conversation_id: conversationId, message: 'later' }, { ref: 'later' });
      const reply = await second.nextMatching(({ ref }) => ref === 'later');
      waitMs = reply.type === 'error' ? reply.payload.retry_after_ms : undefined;
    }
    expect(await bob.history(conversationId)).toContainEqual(expect.objectContaining({ content: 'later' }));
  });

  it('sent continuously close the connection with 4008; the account can reconnect', async () => {
    await startConversation();
    write(burst + 400);
    expect(await alice.socket.closed).toMatchObject({ code: 4008 });
    const errors = alice.socket.received('error');
    expect(errors).toHaveLength(200);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['rate-limited']));
    expect((await bob.say(conversationId, 'still here')).content).toBe('still here');
    const again = await alice.connect();
    await bob.say(conversationId, 'welcome back');
    await again.next('chat-message', ({ content }) => content === 'welcome back');
  });

  it.each(['ping', 'pong'] as const)(
    'that are a %s count, too: a flood ends the connection with 4008',
    async (type) => {
      const socket = new WebSocket(`${slowInstance.url.replace('http', 'ws')}/ws`);
      await once(socket, 'open');
      const closed = once(socket, 'close');
      for (let n = 0; n < burst + 400; n += 1) socket[type]();
      expect((await closed)[0]).toBe(4008);
    },
  );

  it('cost as much as the action that they request', async () => {
    await start({ accountLimits: { frames: { perSecond: 1, burst: 101 } } });
    const socket = await instance.connect((await instance.logIn('dave')).ws_token);
    const codes: string[] = [];
    const ask = async (type: ClientFrameType, payload: object) =>
      codes.push((await socket.requestError(type, payload)).code);
    await ask('create-conversation', { to: 'nobody.at.all', message: 'hello' });
    for (let n = 0; n < 5; n += 1) await ask('rename-conversation', { conversation_id: '01J', name: 'x' });
    await ask('rename-conversation', { conversation_id: '01J', name: 'x' });
    await ask('chat-message', { conversation_id: '01J', message: 'x' });
    expect(codes).toEqual(['account-not-found', ...Array<string>(5).fill('not-found'), 'rate-limited', 'not-found']);
  });

  it('that create a dm by a message cost a creation, and those to an existing dm a message', async () => {
    await start({ accountLimits: { frames: { perSecond: 0.01, burst: 110 } } });
    chat.devnet.createAccount('peggy');
    const peggy = await instance.join('peggy');
    const write = (to: string) => peggy.socket.request('chat-message', { to, message: 'hello' }, 'chat-message');
    await write('alice');
    await write('alice');
    await write('bob');
    // Not even the account is looked up.
    const { code, retry_after_ms } = await peggy.socket.requestError('chat-message', {
      to: 'nobody-here',
      message: 'hello',
    });
    expect(code).toBe('rate-limited');
    expect(retry_after_ms).toBeGreaterThan(0);
    await write('alice');
  });

  it('that join a channel by a message also cost a change, charged afterwards', async () => {
    await start({ accountLimits: { frames: { perSecond: 1, burst: 30 } } });
    const erin = await instance.join('erin');
    const { id } = await (await instance.join('alice')).createChannel('Bees');
    // The authentication, the message and the change take 12 of 30, and another message one.
    await erin.say(id, 'hello');
    await erin.say(id, 'hello again');
    await erin.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
    expect((await erin.socket.requestError('leave-conversation', { conversation_id: id })).code).toBe('rate-limited');
    // The allowance becomes negative: the message is stored, and later ones wait.
    await erin.say(id, 'back again');
    const { code, retry_after_ms } = await erin.socket.requestError('acknowledgment', { conversation_id: id });
    expect(code).toBe('rate-limited');
    expect(retry_after_ms).toBeGreaterThan(1_000);
  });

  it('cost 1 more for every KiB', async () => {
    await startConversation();
    const codes: string[] = [];
    const write = async (bytes: number) => {
      const frame = (message: string) =>
        JSON.stringify({
          type: 'chat-message',
          ref: codes.length,
          payload: { conversation_id: conversationId, message },
        });
      alice.socket.sendRaw(frame('x'.repeat(bytes - frame('').length)));
      const reply = await alice.socket.nextMatching(({ ref }) => ref === codes.length);
      codes.push(reply.type === 'error' ? reply.payload.code : reply.type);
    };
    // 1 + 1 of them each time.
    for (let n = 0; n < 10; n += 1) await write(1_024);
    await write(1_023);
    expect(codes).toEqual(Array(11).fill('chat-message'));
    await write(burst * 1_024);
    expect(codes.at(-1)).toBe('rate-limited');
  });

  it('of an unknown type cost as much as plain ones', async () => {
    await start({ accountLimits: { frames: { perSecond: 1, burst: 10 } } });
    const types = { alice: 'no-such-type', bob: 'constructor', carol: '__proto__' };
    for (const [account, type] of Object.entries(types)) {
      const { socket } = await instance.join(account);
      for (let n = 0; n < 12; n += 1) socket.sendRaw(JSON.stringify({ type, ref: n }));
      const last = await socket.nextMatching(({ ref }) => ref === 11);
      expect([type, last]).toMatchObject([type, { type: 'error', payload: { code: 'rate-limited' } }]);
    }
  });

  it('of an unauthenticated connection have a lower limit of their own', async () => {
    instance = slowInstance;
    const codesOf = async (count: number) => {
      const socket = await instance.openSocket();
      for (let n = 0; n < count; n += 1) socket.send('acknowledgment', {}, { ref: n });
      await socket.next('error', ({ ref }) => ref === count - 1);
      return socket.received('error').map(({ code }) => code);
    };
    expect((await codesOf(25)).slice(0, 20)).toEqual(Array(20).fill('unauthenticated'));
    expect(await codesOf(25)).toContain('rate-limited');
  });
});

describe('new connections', () => {
  /** The response to an upgrade; the connection is closed at once. */
  async function upgrade(
    headers: Record<string, string>,
  ): Promise<{ status: number; retryAfter?: string | undefined }> {
    const request = get(`${instance.url}/ws`, {
      agent: false,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version': '13',
        ...headers,
      },
    });
    return new Promise((resolve, reject) => {
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve({ status: response.statusCode ?? 0 });
      });
      request.on('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
      });
      request.on('error', reject);
    });
  }

  row(
    'limit connection rate',
    'from one address are rejected with 429 beyond the limit, without effect on others',
    async () => {
      await start({ ...behindProxy, rateLimits: { connections: 20 } });
      const alice = await instance.join('alice');
      const responses = await Promise.all(Array.from({ length: 300 }, () => upgrade(home)));
      const rejected = responses.filter(({ status }) => status === 429);
      expect(responses.filter(({ status }) => status === 101)).toHaveLength(20);
      expect(rejected).toHaveLength(280);
      for (const { retryAfter } of rejected) expectRetryAfter(retryAfter);

      expect(await upgrade(elsewhere)).toEqual({ status: 101 });
      expect(await alice.socket.request('authenticate', {}, 'status')).toEqual({ authenticated: true });
      expect((await instance.get('/users/verify', { ...home, ...bearer(alice.session.token) })).status).toBe(200);
    },
  );

  it('are accepted again when the period has passed', async () => {
    await start({ rateLimits: { connections: 2, periodSeconds: 1 } });
    const responses = await Promise.all(Array.from({ length: 50 }, () => upgrade({})));
    expect(responses.map(({ status }) => status)).toContain(429);
    let response;
    do response = await upgrade({});
    while (response.status === 429);
    expect(response.status).toBe(101);
  });

  it('count against the address of an untrusted proxy, regardless of its headers', async () => {
    await start({ rateLimits: { connections: 1 } });
    expect(await upgrade(home)).toEqual({ status: 101 });
    expect((await upgrade(elsewhere)).status).toBe(429);
  });
});

describe('open connections', () => {
  it('of one account are limited: one more gets an error and is closed with 4008, until another one is closed', async () => {
    await start({ accountLimits: { connections: 3 } });
    const alice = await instance.join('alice');
    const second = await alice.connect();
    await alice.connect();
    const { ws_token: token } = alice.session;

    const tooMany = await instance.openSocket();
    const error = await tooMany.requestError('authenticate', { token });
    expect(error).toMatchObject({ code: 'rate-limited', request_type: 'authenticate' });
    expect(error.retry_after_ms).toBeGreaterThan(0);
    expect(await tooMany.closed).toMatchObject({ code: 4008 });
    expect(tooMany.received('status')).toEqual([]);

    // Open connections can authenticate again, and other accounts have their own limit.
    expect(await second.request('authenticate', { token }, 'status')).toEqual({ authenticated: true });
    await instance.join('bob');

    await second.close();
    await expect(alice.connect()).resolves.toBeDefined();
  });

  it('stay within the limit, however many are opened at once', async () => {
    await start({ accountLimits: { connections: 5 } });
    const { ws_token: token } = await instance.logIn('alice');
    const sockets = await Promise.all(Array.from({ length: 30 }, () => instance.openSocket()));
    for (const socket of sockets) socket.send('authenticate', { token });
    const responses = await Promise.all(sockets.map((socket) => socket.nextMatching(() => true)));
    expect(responses.filter(({ type }) => type === 'status')).toHaveLength(5);
    expect(responses.filter(({ type }) => type === 'error')).toHaveLength(25);
  });
});
