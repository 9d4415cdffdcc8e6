import { settings, type Settings } from '@waggle/contracts';
import { until } from '@waggle/testing';
import { AccountPairsLocked } from '../../src/errors';
import { LockedPair } from '../../src/relations/locked-pair';
import { bearer, errorOf } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { HeldLock, type Lock } from '../support/held-lock';
import { row } from '../support/interface-rows';
import { DatabaseState } from '../support/database-state';
import { befriend, ObservedUser } from '../support/observed-user';

const onlyFriends = (only_from_friends: boolean): Settings => ({ dm: { only_from_friends } });

describe('settings', () => {
  let chat: ChatUnderTest;
  let stored: DatabaseState;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    stored = await DatabaseState.connect(chat.database);
  });
  afterEach(async () => {
    await chat.instance.close();
    await stored.clear();
  });
  afterAll(async () => {
    await stored.close();
    await chat.stop();
  });

  const set = (observer: ObservedUser, only: boolean) =>
    observer.user.postJson('/users/settings', onlyFriends(only), settings);
  const get = (observer: ObservedUser) => observer.user.getJson('/users/settings', settings);
  /** An account that accepts direct messages from all or from friends only, and one that is not a friend. */
  const host = async (only: boolean) => {
    const [a, b] = await Promise.all([
      ObservedUser.join(chat.instance, 'alice'),
      ObservedUser.join(chat.instance, 'bob'),
    ]);
    await Promise.all([set(a, only), set(b, false)]);
    return { a, b };
  };

  row('GET /users/settings', 'returns the defaults for an account without settings', async () => {
    const judy = await ObservedUser.join(chat.instance, 'judy');
    expect(await get(judy)).toEqual({ dm: { only_from_friends: false } });
  });

  row(['POST /users/settings', 'GET /users/settings'], 'returns the new settings, and stores them', async () => {
    const { a, b } = await host(false);
    for (const only of [true, true, false, true, false]) {
      const response = await chat.instance.post('/users/settings', onlyFriends(only), bearer(a.user.session.token));
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ dm: { only_from_friends: only } });
      expect(await get(a)).toEqual(onlyFriends(only));
    }
    expect(await get(b)).toEqual(onlyFriends(false));
    for (const each of [a, b]) expect(await each.received()).toEqual([]);
  });

  row('resource settings', 'has dm with only_from_friends and nothing else, whatever else was sent', async () => {
    const { a } = await host(false);
    const body = { dm: { only_from_friends: true, volume: 11 }, theme: 'dark' };
    expect(await a.user.postJson('/users/settings', body, settings)).toEqual(onlyFriends(true));
    expect(await get(a)).toEqual(onlyFriends(true));
  });

  row('POST /users/settings', 'takes the texts true and false, which a checkbox has, for booleans', async () => {
    const { a } = await host(false);
    for (const only of [true, false]) {
      const body = { dm: { only_from_friends: String(only) } };
      expect(await a.user.postJson('/users/settings', body, settings)).toEqual(onlyFriends(only));
      expect(await get(a)).toEqual(onlyFriends(only));
    }
  });

  it.each<[string, unknown, string]>([
    ['nothing', {}, 'dm'],
    ['a list', [], 'expected object'],
    ['dm that is no object', { dm: true }, 'dm'],
    ['dm that is empty', { dm: {} }, 'dm.only_from_friends'],
    ['another text for the boolean', { dm: { only_from_friends: 'yes' } }, 'dm.only_from_friends'],
    ['an empty text for the boolean', { dm: { only_from_friends: '' } }, 'dm.only_from_friends'],
    ['a number for the boolean', { dm: { only_from_friends: 1 } }, 'dm.only_from_friends'],
    ['null', { dm: { only_from_friends: null } }, 'dm.only_from_friends'],
  ])('rejects %s, names the field and changes nothing', async (_what, body, field) => {
    const { a } = await host(true);
    const error = await errorOf(await chat.instance.post('/users/settings', body, bearer(a.user.session.token)));
    expect(error).toMatchObject({ statusCode: 400, code: 'invalid-request', message: expect.stringContaining(field) });
    expect(await get(a)).toEqual(onlyFriends(true));
  });

  it.each(['', 'dm', '{"dm":', 'null', 'dm[only_from_friends]=true'])('rejects the body %p', async (body) => {
    const { token } = await chat.instance.logIn('judy');
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const response = await fetch(`${chat.instance.url}/users/settings`, {
        method: 'POST',
        headers: { 'Content-Type': type, ...bearer(token) },
        body,
      });
      expect((await errorOf(response)).statusCode).toBeLessThan(500);
    }
    const judy = await ObservedUser.join(chat.instance, 'judy');
    expect(await get(judy)).toEqual(onlyFriends(false));
  });

  it('is rejected without credentials', async () => {
    expect(await chat.instance.getError('/users/settings')).toMatchObject({ statusCode: 401 });
    expect(await errorOf(await chat.instance.post('/users/settings', onlyFriends(true)))).toMatchObject({
      statusCode: 401,
    });
  });

  describe('only_from_friends', () => {
    it('rejects a new dm of an account that is not a friend, with every frame, and sends no events', async () => {
      const { a, b } = await host(true);
      const frame = { to: a.account, message: 'buy this' };
      expect(await b.errorCode('create-conversation', frame)).toBe('friends-only');
      expect(await b.errorCode('chat-message', frame)).toBe('friends-only');
      expect(await a.received()).toEqual([]);
      const dms = (await b.user.conversations()).filter(
        ({ type, members }) => type === 'dm' && members.includes(a.account),
      );
      expect(dms).toEqual([]);
    });

    it('rejects a message in an existing dm, with every frame', async () => {
      const { a, b } = await host(false);
      const { id } = await b.user.open(a.account);
      await set(a, true);
      await Promise.all([a.received(), b.received()]);
      for (const target of [{ conversation_id: id }, { to: a.account }, { conversation_id: id, to: a.account }]) {
        expect(await b.errorCode('chat-message', { ...target, message: 'buy this' })).toBe('friends-only');
      }
      expect(await b.errorCode('create-conversation', { to: a.account, message: 'buy this' })).toBe('friends-only');
      expect(await a.received()).toEqual([]);
      expect((await a.user.history(id)).map(({ content }) => content)).toEqual(['hello']);
      await set(a, false);
      expect((await b.user.say(id, 'thank you')).content).toBe('thank you');
    });

    it('applies to strangers only: friends can write, and the account can write to strangers', async () => {
      const { a, b } = await host(true);
      const { id } = await a.user.open(b.account);
      await b.received();
      const thanks = { conversation_id: id, message: 'thanks' };
      expect(await b.errorCode('chat-message', thanks)).toBe('friends-only');
      await befriend(a, b);
      expect((await b.user.say(id, 'as a friend')).content).toBe('as a friend');
      await a.act('remove-friendship', { username: b.account });
      await b.received();
      expect(await b.errorCode('chat-message', thanks)).toBe('friends-only');
    });

    it('lets a friend create a dm', async () => {
      const { a, b } = await host(true);
      await befriend(b, a);
      const dm = await b.user.open(a.account, 'as a friend');
      expect(dm.members.sort()).toEqual([a.account, b.account].sort());
    });

    it('applies to a dm that is created before the response', async () => {
      const { a, b } = await host(false);
      const carol = await ObservedUser.join(chat.instance, 'carol');
      const { id } = await carol.user.open(a.account);
      await a.received();
      const heldLock = await HeldLock.connect(chat.database);
      // The setting is stored when the entry in this dm has to wait.
      const another: Lock = { text: 'SELECT FROM conversation WHERE id = $1 FOR NO KEY UPDATE', values: [id] };
      const frame = { to: a.account, message: 'buy this' };
      await heldLock.runInOrder(
        another,
        async () => {
          await set(a, true);
        },
        async () => {
          expect(await b.errorCode('create-conversation', frame)).toBe('friends-only');
        },
      );
      await heldLock.disconnect();
      await b.received();
      expect(await b.errorCode('chat-message', frame)).toBe('friends-only');
    });

    it('lets requests that name the account fail quickly while it is locked', async () => {
      const { a, b } = await host(false);
      const { id } = await b.user.createChannel('Bees');
      await b.received();
      const heldLock = await HeldLock.connect(chat.database);
      await heldLock.acquire({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', values: [a.account] });
      const startedAtMs = performance.now();
      expect(await b.errorCode('request-friendship', { username: a.account })).toBe('unavailable');
      expect(await b.errorCode('add-member', { conversation_id: id, username: a.account })).toBe('unavailable');
      // Each statement would wait 2 s for the lock.
      expect(performance.now() - startedAtMs).toBeLessThan(3_500);
      await heldLock.release();
      await heldLock.disconnect();
      await b.act('request-friendship', { username: a.account });
    });

    it('makes requests that name the account wait while its settings are changed', async () => {
      const { a, b } = await host(false);
      const heldLock = await HeldLock.connect(chat.database);
      await heldLock.acquire({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', values: [a.account] });
      const lock = jest.spyOn(LockedPair, 'lock');
      const requested = b.act('request-friendship', { username: a.account });
      await until(() => lock.mock.results.length > 0);
      await expect(lock.mock.results[0]?.value).rejects.toThrow(AccountPairsLocked);
      await heldLock.release();
      await requested;
      lock.mockRestore();
      await heldLock.disconnect();
      expect((await a.requests()).map(({ username }) => username)).toContain(b.account);
    });

    it('lets other accounts request a friendship', async () => {
      const { a, b } = await host(true);
      await b.act('request-friendship', { username: a.account });
      expect((await a.requests()).map(({ username }) => username)).toContain(b.account);
    });
  });
});
