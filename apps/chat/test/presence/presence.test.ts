import { randomUUID } from 'node:crypto';
import { createLogger } from '@waggle/service';
import { connectRedis, type RedisClient } from '@waggle/service/redis';
import { startRedis, until, type RedisServer } from '@waggle/testing';
import { PresenceInRedis } from '../../src/presence/presence-in-redis';
import { PresenceInMemory, refreshIntervalMs } from '../../src/presence/presence-register';
import { type ChatSocket } from '../support/chat-socket';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest, type ChatInstance } from '../support/chat-under-test';

let server: RedisServer;
let redis: RedisClient;
beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis([server.url], createLogger('test', 'silent'));
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** The time of Redis, in milliseconds. */
const timeOfRedis = async () => {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
};

describe('the presence register', () => {
  it('reports the accounts of a dead instance once, except those that are connected elsewhere', async () => {
    const prefix = `${randomUUID()}:`;
    const dead = new PresenceInRedis(redis, prefix, 50);
    const [here, there] = [new PresenceInRedis(redis, prefix), new PresenceInRedis(redis, prefix)];
    const accounts = Array.from({ length: 100 }, (_none, i) => `account-${i}`);
    for (const account of accounts) await dead.enter(account);
    await here.enter('account-7');

    const found: string[] = [];
    while (found.length < 99) {
      for (const { offline } of await Promise.all([here.refresh(['account-7']), there.refresh([])]))
        found.push(...offline);
    }
    expect(found.toSorted()).toEqual(accounts.filter((account) => account !== 'account-7').toSorted());
    expect(await there.findOnline(accounts)).toEqual(['account-7']);
    const nothing = { online: [], offline: [] };
    expect([await here.refresh(['account-7']), await there.refresh([])]).toEqual([nothing, nothing]);
  });

  it('expires an account at its deadline, once', async () => {
    const prefix = `${randomUUID()}:`;
    const register = new PresenceInRedis(redis, prefix, 2_000);
    await register.enter('alice');
    const [key = ''] = await redis.keys(`${prefix}{*}alice`);
    const [, score] = await redis.zrange(key, 0, -1, 'WITHSCORES');
    await until(async () => (await register.findOnline(['alice'])).length === 0);
    expect(await timeOfRedis()).toBeGreaterThanOrEqual(Number(score));
    expect(await register.refresh([])).toEqual({ online: [], offline: ['alice'] });
    // The instance was only paused.
    expect(await register.refresh(['alice'])).toEqual({ online: ['alice'], offline: [] });
  });

  it('does not depend on the clocks of the instances', async () => {
    const prefix = `${randomUUID()}:`;
    const [behind, ahead] = [new PresenceInRedis(redis, prefix), new PresenceInRedis(redis, prefix)];
    const nothing = { online: [], offline: [] };
    const clock = jest.spyOn(Date, 'now');
    const at = <T>(differenceMs: number, act: () => Promise<T>) => {
      clock.mockReturnValue(Math.floor(performance.timeOrigin + performance.now()) + differenceMs);
      return act();
    };
    try {
      expect(await at(-120_000, () => behind.enter('alice'))).toBe(true);
      expect(await at(120_000, () => ahead.findOnline(['alice']))).toEqual(['alice']);
      expect(await at(120_000, () => ahead.refresh([]))).toEqual(nothing);
      expect(await at(-120_000, () => behind.refresh(['alice']))).toEqual(nothing);
      expect(await at(120_000, () => ahead.enter('alice'))).toBe(false);
    } finally {
      clock.mockRestore();
    }
  });

  it('reports accounts that leave together as offline, except those that are connected elsewhere', async () => {
    const prefix = `${randomUUID()}:`;
    const [here, there] = [new PresenceInRedis(redis, prefix), new PresenceInRedis(redis, prefix)];
    for (const account of ['alice', 'bob', 'carol']) await here.enter(account);
    await there.enter('bob');
    expect((await here.leave(['alice', 'bob', 'carol', 'dave'])).toSorted()).toEqual(['alice', 'carol']);
    expect(await there.findOnline(['alice', 'bob', 'carol'])).toEqual(['bob']);
    expect(await here.refresh([])).toEqual({ online: [], offline: [] });
  });

  it('removes an account even if the reply of Redis is lost', async () => {
    const impatient = await connectRedis([server.url], createLogger('test', 'silent'), 200);
    const prefix = `${randomUUID()}:`;
    const register = new PresenceInRedis(impatient, prefix);
    await register.enter('alice');
    server.pause();
    try {
      expect(await register.leave(['alice'])).toEqual(['alice']);
    } finally {
      server.resume();
    }
    const other = new PresenceInRedis(redis, prefix);
    await until(async () => (await other.findOnline(['alice'])).length === 0);
    impatient.disconnect();
  });

  it('reports both changes or neither if an account disconnects here while it connects there', async () => {
    const other = await connectRedis([server.url], createLogger('test', 'silent'));
    const prefix = `${randomUUID()}:`;
    const [here, there] = [new PresenceInRedis(redis, prefix), new PresenceInRedis(other, prefix)];
    const accounts = Array.from({ length: 1_000 }, (_none, i) => `account-${i}`);
    await here.refresh(accounts);
    const outcomes = await Promise.all(
      accounts.map(async (account) => {
        const [gone, come] = await Promise.all([here.leave([account]), there.enter(account)]);
        return [gone.length === 1, come];
      }),
    );
    other.disconnect();
    for (const [gone, come] of outcomes) expect(gone).toBe(come);
    expect(await here.findOnline(accounts)).toEqual(expect.arrayContaining(accounts));
  });

  it('holds the accounts of the last refresh if there is only one instance', async () => {
    const register = new PresenceInMemory();
    for (const account of ['alice', 'bob']) await register.enter(account);
    expect(await register.refresh(['bob', 'carol'])).toEqual({ online: ['carol'], offline: ['alice'] });
    expect(await register.findOnline(['alice', 'bob', 'carol'])).toEqual(['bob', 'carol']);
  });
});

describe('presence-changed', () => {
  let chat: ChatUnderTest;
  let here: ChatInstance;
  let alice: ChatUser;
  let asAlice: ChatSocket;
  let timers: jest.SpyInstance<NodeJS.Timeout, Parameters<typeof setInterval>>;
  beforeAll(async () => {
    timers = jest.spyOn(globalThis, 'setInterval');
    chat = await ChatUnderTest.startWithRedis({}, server.url);
    here = chat.instance;
    alice = await here.join('alice');
    asAlice = await here.openSocket();
    asAlice.send('authenticate', { token: alice.session.token, capabilities: ['presence'] });
    await asAlice.next('status');
  });
  afterAll(async () => {
    timers.mockRestore();
    await chat.stop();
  });

  const befriend = async (friend: ChatUser) => {
    const asked = { username: friend.account };
    const { id } = await alice.socket.request('request-friendship', asked, 'friendship-requested');
    await friend.socket.next('friendship-requested', (each) => each.id === id);
    await friend.socket.request('accept-friendship', { id }, 'friendship-accepted');
    await asAlice.next('presence-changed', ({ username, online }) => username === friend.account && online);
  };

  it('is sent for friends on an instance that stops', async () => {
    const there = await chat.addInstance();
    for (const account of ['bob', 'carol']) await befriend(await there.join(account));
    await there.stop();
    for (const friend of ['bob', 'carol'])
      await asAlice.next('presence-changed', ({ username, online }) => username === friend && !online);
    const socket = await here.openSocket();
    socket.send('authenticate', { token: alice.session.token, capabilities: ['presence', 'sync'] });
    await socket.next('status');
    await alice.open('dave', 'the next thing that is heard');
    await socket.next('chat-message');
    expect(socket.received('presence-changed')).toEqual([]);
  });

  it('is sent after a connection changes to another account, but not without the capability', async () => {
    const frank = await here.join('frank');
    await befriend(frank);
    const socket = await here.openSocket();
    socket.send('authenticate', { token: frank.session.token, capabilities: ['presence'] });
    await socket.next('presence-changed', ({ username, online }) => username === 'alice' && online);
    // The connection keeps its capabilities.
    socket.send('authenticate', { token: alice.session.token });
    await socket.next('presence-changed', ({ username, online }) => username === 'frank' && online);
    socket.send('authenticate', { token: frank.session.token, capabilities: ['sync'] });
    await socket.next('status', ({ capabilities }) => capabilities?.includes('sync') === true);
    await frank.open('grace', 'the next thing that arrives');
    await socket.next('chat-message');
    expect(socket.received('presence-changed')).toHaveLength(2);
  });

  it('is sent to both accounts when they become friends, at any instance', async () => {
    const there = await chat.addInstance();
    const friends = await Promise.all(['heidi', 'ivan'].map((account) => there.join(account)));
    for (const { socket } of friends) {
      socket.send('authenticate', { capabilities: ['presence'] });
      await socket.next('status', ({ capabilities }) => capabilities?.includes('presence') === true);
    }
    const [heidi, ivan] = friends;
    if (heidi === undefined || ivan === undefined) throw new Error('they have not joined');
    await befriend(heidi);
    expect((await heidi.socket.next('presence-changed')).payload).toEqual({ username: 'alice', online: true });

    // Two requests make a friendship, too.
    const request = { username: 'ivan' };
    await alice.socket.request('request-friendship', request, 'friendship-requested');
    await ivan.socket.next('friendship-requested');
    await ivan.socket.request('request-friendship', { username: 'alice' }, 'friendship-accepted');
    expect((await ivan.socket.next('presence-changed')).payload).toEqual({ username: 'alice', online: true });
    await asAlice.next('presence-changed', ({ username, online }) => username === 'ivan' && online);
  });

  it('is not sent for a new friend who is offline', async () => {
    const judy = await here.join('judy');
    const { id } = await judy.socket.request('request-friendship', { username: 'alice' }, 'friendship-requested');
    await judy.socket.close();
    const register = new PresenceInRedis(redis, (await redis.keys('*}alice'))[0]?.replace(/\{.*/, '') ?? '');
    await until(async () => (await register.findOnline(['judy'])).length === 0);
    await alice.socket.request('accept-friendship', { id }, 'friendship-accepted');
    // Redis replies in order, so that an event about judy would precede the one about grace.
    await befriend(await here.join('grace'));
    expect(asAlice.received('presence-changed')).not.toContainEqual({ username: 'judy', online: true });
  });

  it('is sent for friends on an instance that has died', async () => {
    const erin = await here.join('erin');
    await befriend(erin);
    const [key = ''] = await redis.keys('*}erin');
    const dead = new PresenceInRedis(redis, key.replace(/\{.*/, ''), 50);
    await dead.enter('erin');
    await erin.socket.close();
    await until(() => {
      // Calls the timer's function instead of waiting for it.
      for (const [refresh, intervalMs] of timers.mock.calls) if (intervalMs === refreshIntervalMs) refresh();
      return asAlice.received('presence-changed').some(({ username, online }) => username === 'erin' && !online);
    });
  });
});
