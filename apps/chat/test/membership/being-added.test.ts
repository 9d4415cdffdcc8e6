import { settings } from '@waggle/contracts';
import { Client } from 'pg';
import { ChatUnderTest } from '../support/chat-under-test';
import { HeldLock, type Lock } from '../support/held-lock';
import { row } from '../support/interface-rows';
import { befriend, listed, type ObservedUser } from '../support/observed-user';
import { ObservedUsers } from '../support/observed-users';

describe('adding a member', () => {
  let chat: ChatUnderTest;
  let all: ObservedUsers;
  let heldLock: HeldLock;
  /** The account that adds, the added one, two others, and an admin. */
  let alice: ObservedUser;
  let bob: ObservedUser;
  let carol: ObservedUser;
  let dave: ObservedUser;
  let judy: ObservedUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start({ admins: ['judy'] });
    heldLock = await HeldLock.connect(chat.database);
    const observers = await ObservedUsers.join(chat, 'alice', 'bob', 'carol', 'dave', 'judy');
    all = observers;
    ({ alice, bob, carol, dave, judy } = observers.named);
  });
  afterEach(() => all.reset());
  afterAll(async () => {
    await heldLock.disconnect();
    await all.stop();
  });

  const acceptOnlyFriends = (who: ObservedUser) =>
    who.user.postJson('/users/settings', { dm: { only_from_friends: true } }, settings);
  const unfriend = (one: ObservedUser, other: ObservedUser) =>
    one.act('remove-friendship', { username: other.account });
  const add = (conversation_id: string, by = alice, { account: username } = bob) =>
    by.act('add-member', { conversation_id, username });
  const remove = (conversation_id: string, { account: username } = bob) =>
    alice.act('remove-member', { conversation_id, username });
  const leave = (conversation_id: string, who = bob) => who.act('leave-conversation', { conversation_id });
  /** The error code for adding bob by alice, which changes nothing. */
  const errorCode = async (conversation_id: string, by = alice) => {
    await all.received();
    return all.errorCode(by, 'add-member', { conversation_id, username: 'bob' });
  };
  const members = async (id: string) => (await listed(alice, id))?.members;

  const group = async () => {
    const { id } = await alice.user.open(['bob', 'carol']);
    return id;
  };
  const channel = async () => {
    const { id } = await alice.user.createChannel('Bees');
    await add(id);
    return id;
  };
  const conversations = [
    ['a group', group],
    ['a channel', channel],
  ] as const;

  describe('who accepts only friends', () => {
    beforeEach(async () => {
      await acceptOnlyFriends(bob);
      await all.received();
    });

    row('frame create-conversation', 'is in no group that a stranger makes, however few they are', async () => {
      for (const to of [['bob'], ['alice', 'bob'], ['bob', 'carol'], ['carol', 'bob', 'dave']]) {
        expect(await all.errorCode(alice, 'create-conversation', { to, message: 'buy this' })).toBe('friends-only');
      }
    });

    row('frame add-member', 'is added by no stranger, to a group or channel', async () => {
      const { id: ofCarol } = await alice.user.open(['carol']);
      const { id: bees } = await alice.user.createChannel('Bees');
      for (const id of [ofCarol, bees]) expect(await errorCode(id)).toBe('friends-only');
      expect(await errorCode(bees, judy)).toBe('friends-only');
    });

    row('event error', 'names the account', async () => {
      const frame = { to: ['carol', 'bob'], message: 'buy this' };
      const { message } = await alice.user.socket.requestError('create-conversation', frame);
      expect(message).toContain('bob');
    });

    it('fails with `blocked` rather than `friends-only` if both apply', async () => {
      await carol.act('block-user', { username: 'alice' });
      await all.received();
      const frame = { to: ['bob', 'carol'], message: 'buy this' };
      expect(await all.errorCode(alice, 'create-conversation', frame)).toBe('blocked');
    });

    it('is allowed for friends, and the member can create groups with strangers', async () => {
      await befriend(alice, bob);
      expect(await members(await group())).toEqual(['bob', 'carol', 'alice']);
      expect(await members(await channel())).toEqual(['alice', 'bob']);
      expect((await bob.user.open(['dave', 'bob'])).members).toEqual(['dave', 'bob']);
      await unfriend(alice, bob);
      await all.received();
      const frame = { to: ['bob'], message: 'buy this' };
      expect(await all.errorCode(alice, 'create-conversation', frame)).toBe('friends-only');
    });

    it('is not restricted if members join a channel by writing, or admins add themselves', async () => {
      await acceptOnlyFriends(judy);
      const { id } = await alice.user.createChannel('Bees');
      await bob.user.say(id, 'here I am');
      await add(id, judy, judy);
      expect(await members(id)).toEqual(['alice', 'bob', 'judy']);
    });
  });

  describe.each(conversations)('again to %s', (_what, begin) => {
    it('by an account that is not a friend is rejected after the member has left', async () => {
      const id = await begin();
      await leave(id);
      expect(await errorCode(id)).toBe('forbidden');
      const frame = { conversation_id: id, username: 'bob' };
      expect((await alice.user.socket.requestError('add-member', frame)).message).toBe(
        'bob has left; only a friend may add them again',
      );
    });

    it('by a friend is accepted, however often the member leaves', async () => {
      await befriend(bob, alice);
      const id = await begin();
      for (let round = 0; round < 2; round += 1) {
        await leave(id);
        await add(id);
        expect(await members(id)).toContain('bob');
      }
      await leave(id);
      await unfriend(bob, alice);
      expect(await errorCode(id)).toBe('forbidden');
    });

    it('by a friend of another member is rejected', async () => {
      await befriend(bob, dave);
      const id = await begin();
      await leave(id);
      expect(await errorCode(id)).toBe('forbidden');
    });

    it('by a stranger is accepted after a moderator has removed the member', async () => {
      const id = await begin();
      await remove(id);
      await add(id);
      expect(await members(id)).toContain('bob');
    });

    it('by a stranger is accepted after the member has left, rejoined and been removed', async () => {
      await befriend(bob, alice);
      const id = await begin();
      await leave(id);
      await add(id);
      await unfriend(bob, alice);
      await remove(id);
      await add(id);
      expect(await members(id)).toContain('bob');
    });

    it('adds no member against their will if it races with leaving and befriending', async () => {
      const id = await begin();
      const adding: Lock = { text: 'SELECT FROM conversation WHERE id = $1 FOR NO KEY UPDATE', values: [id] };
      // The first request to wait for the lock gets it first.
      await heldLock.runInOrder(
        adding,
        () => leave(id),
        () => add(id),
      );
      expect(await members(id)).not.toContain('bob');
      // The addition locks the pair first, so their friendship cannot change before it ends.
      await alice.act('request-friendship', { username: 'bob' });
      await heldLock.runInOrder(
        adding,
        () => add(id),
        () => bob.act('request-friendship', { username: 'alice' }),
      );
      expect(await members(id)).not.toContain('bob');
      await add(id);
      expect(await members(id)).toContain('bob');
      await leave(id);
      await heldLock.runInOrder(
        adding,
        () => add(id),
        () => unfriend(bob, alice),
      );
      expect(await members(id)).toContain('bob');
      await all.received();
    });

    it('races with leaving, befriending and the end of the friendship', async () => {
      const id = await begin();
      for (let round = 0; round < 2; round += 1) {
        await Promise.all([
          leave(id),
          add(id),
          bob.act('request-friendship', { username: 'alice' }),
          alice.act('request-friendship', { username: 'bob' }),
        ]);
        const wasAdded = (await members(id))?.includes('bob') === true;
        await all.received();
        if (!wasAdded) await add(id);
        expect(await members(id)).toContain('bob');
        await Promise.all([leave(id), unfriend(bob, alice), add(id)]);
        if ((await members(id))?.includes('bob') === true) await leave(id);
        expect(await errorCode(id)).toBe('forbidden');
        await befriend(alice, bob);
        await add(id);
        await unfriend(alice, bob);
      }
    });
  });

  describe('again to a channel', () => {
    it('is not needed: an account that has left rejoins by writing', async () => {
      const id = await channel();
      await leave(id);
      await bob.user.say(id, 'back again');
      expect(await members(id)).toEqual(['alice', 'bob']);
      await remove(id);
      await add(id);
      expect(await members(id)).toEqual(['alice', 'bob']);
    });

    it('by a stranger is rejected even if the account follows the channel, or was removed after it left', async () => {
      const id = await channel();
      await leave(id);
      await bob.user.conversation(id);
      expect(await errorCode(id)).toBe('forbidden');
      await remove(id);
      expect(await errorCode(id)).toBe('forbidden');
      await befriend(alice, bob);
      await add(id);
      expect(await members(id)).toEqual(['alice', 'bob']);
    });

    it('is accepted for an account that only followed it', async () => {
      const { id } = await alice.user.createChannel('Bees');
      await bob.user.conversation(id);
      await leave(id);
      await add(id);
      expect(await members(id)).toEqual(['alice', 'bob']);
    });

    it('does not subscribe a follower a second time', async () => {
      const { id } = await alice.user.createChannel('Bees');
      await bob.user.conversation(id);
      await add(id);
      const database = new Client({ connectionString: chat.database.url });
      await database.connect();
      const { rows } = await database.query('SELECT account FROM event, unnest(joins) account WHERE stream = $1', [id]);
      await database.end();
      expect(rows).toEqual([{ account: 'alice' }]);
    });

    it('is possible for admins who have left: they add themselves', async () => {
      const id = await channel();
      await add(id, judy, judy);
      await leave(id, judy);
      await add(id, judy, judy);
      expect(await members(id)).toEqual(['alice', 'bob', 'judy']);
    });
  });
});
