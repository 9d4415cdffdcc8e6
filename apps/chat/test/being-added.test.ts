import { settings } from '@waggle/contracts';
import { Client } from 'pg';
import { ChatUnderTest } from './chat-under-test';
import { Gate, type Lock } from './gate';
import { row } from './interface-rows';
import { befriend, listed, type Witness } from './witness';
import { Witnesses } from './witnesses';

describe('being added', () => {
  let chat: ChatUnderTest;
  let all: Witnesses;
  let gate: Gate;
  /** Who adds, who is added, two others, and an admin. */
  let alice: Witness;
  let bob: Witness;
  let carol: Witness;
  let dave: Witness;
  let judy: Witness;
  beforeAll(async () => {
    chat = await ChatUnderTest.start({ admins: ['judy'] });
    gate = await Gate.of(chat.database);
    const witnesses = await Witnesses.join(chat, 'alice', 'bob', 'carol', 'dave', 'judy');
    all = witnesses;
    ({ alice, bob, carol, dave, judy } = witnesses.named);
  });
  afterEach(() => all.forget());
  afterAll(async () => {
    await gate.remove();
    await all.leave();
  });

  const acceptOnlyFriends = (who: Witness) =>
    who.user.postJson('/users/settings', { dm: { only_from_friends: true } }, settings);
  const unfriend = (one: Witness, other: Witness) => one.act('remove-friendship', { username: other.account });
  const add = (conversation_id: string, by = alice, { account: username } = bob) =>
    by.act('add-member', { conversation_id, username });
  const remove = (conversation_id: string, { account: username } = bob) =>
    alice.act('remove-member', { conversation_id, username });
  const leave = (conversation_id: string, who = bob) => who.act('leave-conversation', { conversation_id });
  /** The code with which adding bob is refused to alice; everything stays as it was. */
  const refusal = async (conversation_id: string, by = alice) => {
    await all.heard();
    return all.refusal(by, 'add-member', { conversation_id, username: 'bob' });
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

  describe('to anything, who accepts only friends', () => {
    beforeEach(async () => {
      await acceptOnlyFriends(bob);
      await all.heard();
    });

    row('frame create-conversation', 'is in no group that a stranger makes, however few they are', async () => {
      for (const to of [['bob'], ['alice', 'bob'], ['bob', 'carol'], ['carol', 'bob', 'dave']]) {
        expect(await all.refusal(alice, 'create-conversation', { to, message: 'buy this' })).toBe('friends-only');
      }
    });

    row('frame add-member', 'is added by no stranger, to a group or channel', async () => {
      const { id: ofCarol } = await alice.user.open(['carol']);
      const { id: bees } = await alice.user.createChannel('Bees');
      for (const id of [ofCarol, bees]) expect(await refusal(id)).toBe('friends-only');
      expect(await refusal(bees, judy)).toBe('friends-only');
    });

    row('event error', 'is named by the refusal', async () => {
      const frame = { to: ['carol', 'bob'], message: 'buy this' };
      const { message } = await alice.user.socket.askInVain('create-conversation', frame);
      expect(message).toContain('bob');
    });

    it('is said after who has blocked the one who adds', async () => {
      await carol.act('block-user', { username: 'alice' });
      await all.heard();
      const frame = { to: ['bob', 'carol'], message: 'buy this' };
      expect(await all.refusal(alice, 'create-conversation', frame)).toBe('blocked');
    });

    it('is added by friends, and makes groups with strangers oneself', async () => {
      await befriend(alice, bob);
      expect(await members(await group())).toEqual(['bob', 'carol', 'alice']);
      expect(await members(await channel())).toEqual(['alice', 'bob']);
      expect((await bob.user.open(['dave', 'bob'])).members).toEqual(['dave', 'bob']);
      await unfriend(alice, bob);
      await all.heard();
      const frame = { to: ['bob'], message: 'buy this' };
      expect(await all.refusal(alice, 'create-conversation', frame)).toBe('friends-only');
    });

    it('joins a channel by writing, and adds oneself as an admin', async () => {
      await acceptOnlyFriends(judy);
      const { id } = await alice.user.createChannel('Bees');
      await bob.user.say(id, 'here I am');
      await add(id, judy, judy);
      expect(await members(id)).toEqual(['alice', 'bob', 'judy']);
    });
  });

  describe.each(conversations)('again to %s', (what, begin) => {
    it('by a stranger is refused after one has left, and says so', async () => {
      const id = await begin();
      await leave(id);
      expect(await refusal(id)).toBe('forbidden');
      const frame = { conversation_id: id, username: 'bob' };
      expect((await alice.user.socket.askInVain('add-member', frame)).message).toBe(
        'bob has left; only a friend may add them again',
      );
    });

    it('by a friend is accepted, as often as one leaves', async () => {
      await befriend(bob, alice);
      const id = await begin();
      for (let round = 0; round < 2; round += 1) {
        await leave(id);
        await add(id);
        expect(await members(id)).toContain('bob');
      }
      await leave(id);
      await unfriend(bob, alice);
      expect(await refusal(id)).toBe('forbidden');
    });

    it("by another's friend is refused", async () => {
      await befriend(bob, dave);
      const id = await begin();
      await leave(id);
      expect(await refusal(id)).toBe('forbidden');
    });

    it('by a stranger is accepted after a moderator has removed one', async () => {
      const id = await begin();
      await remove(id);
      await add(id);
      expect(await members(id)).toContain('bob');
    });

    it('by a stranger is accepted after one has left, come back and been removed', async () => {
      await befriend(bob, alice);
      const id = await begin();
      await leave(id);
      await add(id);
      await unfriend(bob, alice);
      await remove(id);
      await add(id);
      expect(await members(id)).toContain('bob');
    });

    it(`by a stranger after one has left ${what} or was removed while the former version ran`, async () => {
      const [left, removed] = [await begin(), await begin()];
      await leave(left);
      await remove(removed);
      // What that version stored.
      const database = new Client({ connectionString: chat.database.url });
      await database.connect();
      await database.query('UPDATE member SET left_voluntarily = NULL');
      await database.end();
      expect(await refusal(left)).toBe('forbidden');
      // Of a group it is not known.
      if (what === 'a group') expect(await refusal(removed)).toBe('forbidden');
      else await add(removed);
    });

    it('meets leaving and befriending: one is a member against nobody’s will', async () => {
      const id = await begin();
      const adding: Lock = { text: 'SELECT FROM conversation WHERE id = $1 FOR NO KEY UPDATE', values: [id] };
      // Whoever comes first to the lock is first.
      await gate.inLine(
        adding,
        () => leave(id),
        () => add(id),
      );
      expect(await members(id)).not.toContain('bob');
      // The addition locks the pair first: friends or not, they stay so until it has ended.
      await alice.act('request-friendship', { username: 'bob' });
      await gate.inLine(
        adding,
        () => add(id),
        () => bob.act('request-friendship', { username: 'alice' }),
      );
      expect(await members(id)).not.toContain('bob');
      await add(id);
      expect(await members(id)).toContain('bob');
      await leave(id);
      await gate.inLine(
        adding,
        () => add(id),
        () => unfriend(bob, alice),
      );
      expect(await members(id)).toContain('bob');
      await all.heard();
    });

    it('races with leaving, befriending and the end of the friendship', async () => {
      const id = await begin();
      for (let round = 0; round < 8; round += 1) {
        await Promise.all([
          leave(id),
          add(id),
          bob.act('request-friendship', { username: 'alice' }),
          alice.act('request-friendship', { username: 'bob' }),
        ]);
        const wasAdded = (await members(id))?.includes('bob') === true;
        await all.heard();
        if (!wasAdded) await add(id);
        expect(await members(id)).toContain('bob');
        await Promise.all([leave(id), unfriend(bob, alice), add(id)]);
        if ((await members(id))?.includes('bob') === true) await leave(id);
        expect(await refusal(id)).toBe('forbidden');
        await befriend(alice, bob);
        await add(id);
        await unfriend(alice, bob);
      }
    });
  });

  describe('again to a channel', () => {
    it('needs nobody: who has left comes back by writing', async () => {
      const id = await channel();
      await leave(id);
      await bob.user.say(id, 'back again');
      expect(await members(id)).toEqual(['alice', 'bob']);
      await remove(id);
      await add(id);
      expect(await members(id)).toEqual(['alice', 'bob']);
    });

    it('is refused to strangers though who has left reads it, or is removed after having left', async () => {
      const id = await channel();
      await leave(id);
      await bob.user.conversation(id);
      expect(await refusal(id)).toBe('forbidden');
      await remove(id);
      expect(await refusal(id)).toBe('forbidden');
      await befriend(alice, bob);
      await add(id);
      expect(await members(id)).toEqual(['alice', 'bob']);
    });

    it('is as before for who only read it', async () => {
      const { id } = await alice.user.createChannel('Bees');
      await bob.user.conversation(id);
      await leave(id);
      await add(id);
      expect(await members(id)).toEqual(['alice', 'bob']);
    });

    it('is done by admins who have left themselves', async () => {
      const id = await channel();
      await add(id, judy, judy);
      await leave(id, judy);
      await add(id, judy, judy);
      expect(await members(id)).toEqual(['alice', 'bob', 'judy']);
    });
  });
});
