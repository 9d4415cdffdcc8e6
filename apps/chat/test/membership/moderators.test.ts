import { type ClientFrameType } from '@waggle/contracts';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { befriend, type ObservedUser } from '../support/observed-user';
import { ObservedUsers } from '../support/observed-users';

const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('moderators', () => {
  let all: ObservedUsers;
  /** Creator, three members, and an outsider. */
  let alice: ObservedUser;
  let bob: ObservedUser;
  let carol: ObservedUser;
  let dave: ObservedUser;
  let erin: ObservedUser;
  beforeAll(async () => {
    const observers = await ObservedUsers.join(await ChatUnderTest.start(), 'alice', 'bob', 'carol', 'dave', 'erin');
    all = observers;
    ({ alice, bob, carol, dave, erin } = observers.named);
  });
  afterEach(() => all.reset());
  afterAll(() => all.stop());

  const inGroup = async () => {
    const { id } = await alice.user.open(['bob', 'carol', 'dave']);
    return id;
  };
  const inChannel = async () => {
    const { id } = await alice.user.createChannel('Bees');
    for (const username of ['bob', 'carol', 'dave']) await alice.act('add-member', { conversation_id: id, username });
    return id;
  };
  const moderators = async (who: ObservedUser, id: string) => (await who.user.conversation(id)).moderators;

  row('frame add-moderator', 'replies, and is visible to all members', async () => {
    const added = { conversation_id: await inGroup(), username: 'bob' };
    expect(await alice.user.socket.request('add-moderator', added, 'moderator-added')).toEqual(added);
    for (const each of [alice, bob, carol, dave]) {
      expect(await moderators(each, added.conversation_id)).toEqual(['bob']);
    }
  });

  row('frame remove-moderator', 'replies, and is visible to all members', async () => {
    const removed = { conversation_id: await inGroup(), username: 'bob' };
    await alice.act('add-moderator', removed);
    await alice.act('add-moderator', { ...removed, username: 'carol' });
    expect(await alice.user.socket.request('remove-moderator', removed, 'moderator-removed')).toEqual(removed);
    for (const each of [alice, bob, carol, dave]) {
      expect(await moderators(each, removed.conversation_id)).toEqual(['carol']);
    }
  });

  row('event moderator-added', 'is sent to all members', async () => {
    const id = await inGroup();
    await all.received();
    await alice.act('add-moderator', { conversation_id: id, username: 'bob' });
    const added = { type: 'moderator-added', payload: { conversation_id: id, username: 'bob' } };
    expect(await all.received()).toEqual({ alice: [added], bob: [added], carol: [added], dave: [added] });
  });

  row('event moderator-removed', 'is sent to all members', async () => {
    const id = await inGroup();
    await alice.act('add-moderator', { conversation_id: id, username: 'bob' });
    await all.received();
    await alice.act('remove-moderator', { conversation_id: id, username: 'bob' });
    const removed = { type: 'moderator-removed', payload: { conversation_id: id, username: 'bob' } };
    expect(await all.received()).toEqual({ alice: [removed], bob: [removed], carol: [removed], dave: [removed] });
  });

  row(['frame add-moderator', 'frame remove-moderator'], 'are rejected in a dm', async () => {
    const { id } = await alice.user.open('bob');
    await all.received();
    for (const type of ['add-moderator', 'remove-moderator'] as const) {
      for (const username of ['alice', 'bob', 'carol']) {
        expect(await all.errorCode(alice, type, { conversation_id: id, username })).toBe('forbidden');
      }
    }
  });

  describe.each([
    ['group', () => inGroup()],
    ['channel', () => inChannel()],
  ])('in a %s', (kind, begin) => {
    const begun = async () => {
      const conversation_id = await begin();
      await all.received();
      return { conversation_id };
    };

    it('are listed in the order of their appointment', async () => {
      const { conversation_id } = await begun();
      for (const username of ['dave', 'bob', 'carol']) await alice.act('add-moderator', { conversation_id, username });
      await alice.act('remove-moderator', { conversation_id, username: 'dave' });
      await alice.act('add-moderator', { conversation_id, username: 'dave' });
      expect(await moderators(bob, conversation_id)).toEqual(['bob', 'carol', 'dave']);
    });

    row(['frame add-moderator', 'frame remove-moderator'], 'are made and unmade by the creator only', async () => {
      const { conversation_id } = await begun();
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await all.received();
      for (const username of ['alice', 'bob', 'dave', 'nobody-here']) {
        for (const type of ['add-moderator', 'remove-moderator'] as const) {
          expect(await all.errorCode(bob, type, { conversation_id, username })).toBe('forbidden');
          expect(await all.errorCode(carol, type, { conversation_id, username })).toBe('forbidden');
          // Channels are there for all to see.
          const code = kind === 'group' ? 'not-found' : 'forbidden';
          expect(await all.errorCode(erin, type, { conversation_id, username })).toBe(code);
        }
      }
    });

    it('are members', async () => {
      const { conversation_id } = await begun();
      for (const username of ['erin', 'nobody-here']) {
        expect(await all.errorCode(alice, 'add-moderator', { conversation_id, username })).toBe('not-found');
        expect(await all.errorCode(alice, 'remove-moderator', { conversation_id, username })).toBe('not-found');
      }
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await alice.act('remove-member', { conversation_id, username: 'bob' });
      await all.received();
      expect(await all.errorCode(alice, 'add-moderator', { conversation_id, username: 'bob' })).toBe('not-found');
      expect(await all.errorCode(alice, 'remove-moderator', { conversation_id, username: 'bob' })).toBe('not-found');
      expect(await moderators(alice, conversation_id)).toEqual([]);
    });

    it('are appointed and dismissed only once, and the creator never', async () => {
      const { conversation_id } = await begun();
      const bobs = { conversation_id, username: 'bob' };
      expect(await all.errorCode(alice, 'remove-moderator', bobs)).toBe('conflict');
      await alice.act('add-moderator', bobs);
      await all.received();
      expect(await all.errorCode(alice, 'add-moderator', bobs)).toBe('conflict');
      await alice.act('remove-moderator', bobs);
      await all.received();
      expect(await all.errorCode(alice, 'remove-moderator', bobs)).toBe('conflict');
      const own = { conversation_id, username: 'alice' };
      expect(await all.errorCode(alice, 'add-moderator', own)).toBe('conflict');
      expect(await all.errorCode(alice, 'remove-moderator', own)).toBe('conflict');
    });

    it('can add, remove and delete only while they have the role', async () => {
      const { conversation_id } = await begun();
      const { id } = await dave.user.say(conversation_id, 'delete me');
      const { id: other } = await dave.user.say(conversation_id, 'and me');
      await all.received();
      const what: [ClientFrameType, object][] = [
        ['add-member', { conversation_id, username: 'erin' }],
        ['remove-member', { conversation_id, username: 'erin' }],
        ['delete-message', { id }],
      ];
      for (const [type, payload] of what) expect(await all.errorCode(bob, type, payload)).toBe('forbidden');
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await all.received();
      await bob.user.socket.request('add-member', { conversation_id, username: 'erin' }, 'member-added');
      await bob.user.socket.request('remove-member', { conversation_id, username: 'erin' }, 'member-removed');
      await bob.user.socket.request('delete-message', { id }, 'message-deleted');
      await alice.act('remove-moderator', { conversation_id, username: 'bob' });
      await all.received();
      expect(await all.errorCode(bob, 'add-member', { conversation_id, username: 'erin' })).toBe('forbidden');
      expect(await all.errorCode(bob, 'remove-member', { conversation_id, username: 'carol' })).toBe('forbidden');
      expect(await all.errorCode(bob, 'delete-message', { id: other })).toBe('forbidden');
    });

    it('lose the role when they leave, even if they rejoin', async () => {
      await befriend(alice, bob);
      const { conversation_id } = await begun();
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await bob.act('leave-conversation', { conversation_id });
      await alice.act('add-member', { conversation_id, username: 'bob' });
      expect(await moderators(alice, conversation_id)).toEqual([]);
      await all.received();
      expect(await all.errorCode(bob, 'remove-member', { conversation_id, username: 'carol' })).toBe('forbidden');
    });
  });

  it('are not found in unknown conversations', async () => {
    for (const type of ['add-moderator', 'remove-moderator'] as const) {
      expect(await all.errorCode(alice, type, { conversation_id: nowhere, username: 'bob' })).toBe('not-found');
    }
  });
});
