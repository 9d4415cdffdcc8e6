import { type ClientFrameType } from '@waggle/contracts';
import { ChatUnderTest } from './chat-under-test';
import { row } from './interface-rows';
import { befriend, type Witness } from './witness';
import { Witnesses } from './witnesses';

const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('moderators', () => {
  let all: Witnesses;
  /** Creator, three members, and one who is not in it. */
  let alice: Witness;
  let bob: Witness;
  let carol: Witness;
  let dave: Witness;
  let erin: Witness;
  beforeAll(async () => {
    const witnesses = await Witnesses.join(await ChatUnderTest.start(), 'alice', 'bob', 'carol', 'dave', 'erin');
    all = witnesses;
    ({ alice, bob, carol, dave, erin } = witnesses.named);
  });
  afterEach(() => all.forget());
  afterAll(() => all.leave());

  const inGroup = async () => {
    const { id } = await alice.user.open(['bob', 'carol', 'dave']);
    return id;
  };
  const inChannel = async () => {
    const { id } = await alice.user.createChannel('Bees');
    for (const username of ['bob', 'carol', 'dave']) await alice.act('add-member', { conversation_id: id, username });
    return id;
  };
  const moderators = async (who: Witness, id: string) => (await who.user.conversation(id)).moderators;

  row('frame add-moderator', 'is answered, and seen by all members', async () => {
    const added = { conversation_id: await inGroup(), username: 'bob' };
    expect(await alice.user.socket.ask('add-moderator', added, 'moderator-added')).toEqual(added);
    for (const each of [alice, bob, carol, dave]) {
      expect(await moderators(each, added.conversation_id)).toEqual(['bob']);
    }
  });

  row('frame remove-moderator', 'is answered, and seen by all members', async () => {
    const removed = { conversation_id: await inGroup(), username: 'bob' };
    await alice.act('add-moderator', removed);
    await alice.act('add-moderator', { ...removed, username: 'carol' });
    expect(await alice.user.socket.ask('remove-moderator', removed, 'moderator-removed')).toEqual(removed);
    for (const each of [alice, bob, carol, dave]) {
      expect(await moderators(each, removed.conversation_id)).toEqual(['carol']);
    }
  });

  row('event moderator-added', 'goes to all members', async () => {
    const id = await inGroup();
    await all.heard();
    await alice.act('add-moderator', { conversation_id: id, username: 'bob' });
    const added = { type: 'moderator-added', payload: { conversation_id: id, username: 'bob' } };
    expect(await all.heard()).toEqual({ alice: [added], bob: [added], carol: [added], dave: [added] });
  });

  row('event moderator-removed', 'goes to all members', async () => {
    const id = await inGroup();
    await alice.act('add-moderator', { conversation_id: id, username: 'bob' });
    await all.heard();
    await alice.act('remove-moderator', { conversation_id: id, username: 'bob' });
    const removed = { type: 'moderator-removed', payload: { conversation_id: id, username: 'bob' } };
    expect(await all.heard()).toEqual({ alice: [removed], bob: [removed], carol: [removed], dave: [removed] });
  });

  row(['frame add-moderator', 'frame remove-moderator'], 'are refused in a dm', async () => {
    const { id } = await alice.user.open('bob');
    await all.heard();
    for (const type of ['add-moderator', 'remove-moderator'] as const) {
      for (const username of ['alice', 'bob', 'carol']) {
        expect(await all.refusal(alice, type, { conversation_id: id, username })).toBe('forbidden');
      }
    }
  });

  describe.each([
    ['group', () => inGroup()],
    ['channel', () => inChannel()],
  ])('in a %s', (kind, begin) => {
    const begun = async () => {
      const conversation_id = await begin();
      await all.heard();
      return { conversation_id };
    };

    it('stand in the order of their appointment', async () => {
      const { conversation_id } = await begun();
      for (const username of ['dave', 'bob', 'carol']) await alice.act('add-moderator', { conversation_id, username });
      await alice.act('remove-moderator', { conversation_id, username: 'dave' });
      await alice.act('add-moderator', { conversation_id, username: 'dave' });
      expect(await moderators(bob, conversation_id)).toEqual(['bob', 'carol', 'dave']);
    });

    row(['frame add-moderator', 'frame remove-moderator'], 'are made and unmade by the creator only', async () => {
      const { conversation_id } = await begun();
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await all.heard();
      for (const username of ['alice', 'bob', 'carol', 'dave', 'erin', 'nobody-here']) {
        for (const type of ['add-moderator', 'remove-moderator'] as const) {
          expect(await all.refusal(bob, type, { conversation_id, username })).toBe('forbidden');
          expect(await all.refusal(carol, type, { conversation_id, username })).toBe('forbidden');
          // Channels are there for all to see.
          const code = kind === 'group' ? 'not-found' : 'forbidden';
          expect(await all.refusal(erin, type, { conversation_id, username })).toBe(code);
        }
      }
    });

    it('are members', async () => {
      const { conversation_id } = await begun();
      for (const username of ['erin', 'nobody-here']) {
        expect(await all.refusal(alice, 'add-moderator', { conversation_id, username })).toBe('not-found');
        expect(await all.refusal(alice, 'remove-moderator', { conversation_id, username })).toBe('not-found');
      }
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await alice.act('remove-member', { conversation_id, username: 'bob' });
      await all.heard();
      expect(await all.refusal(alice, 'add-moderator', { conversation_id, username: 'bob' })).toBe('not-found');
      expect(await all.refusal(alice, 'remove-moderator', { conversation_id, username: 'bob' })).toBe('not-found');
      expect(await moderators(alice, conversation_id)).toEqual([]);
    });

    it('are made once and unmade once, and the creator is none', async () => {
      const { conversation_id } = await begun();
      const bobs = { conversation_id, username: 'bob' };
      expect(await all.refusal(alice, 'remove-moderator', bobs)).toBe('conflict');
      await alice.act('add-moderator', bobs);
      await all.heard();
      expect(await all.refusal(alice, 'add-moderator', bobs)).toBe('conflict');
      await alice.act('remove-moderator', bobs);
      await all.heard();
      expect(await all.refusal(alice, 'remove-moderator', bobs)).toBe('conflict');
      const own = { conversation_id, username: 'alice' };
      expect(await all.refusal(alice, 'add-moderator', own)).toBe('conflict');
      expect(await all.refusal(alice, 'remove-moderator', own)).toBe('conflict');
    });

    it('may add, remove and delete from then on, and not once they are unmade', async () => {
      const { conversation_id } = await begun();
      const { id } = await dave.user.say(conversation_id, 'delete me');
      const { id: other } = await dave.user.say(conversation_id, 'and me');
      await all.heard();
      const what: [ClientFrameType, object][] = [
        ['add-member', { conversation_id, username: 'erin' }],
        ['remove-member', { conversation_id, username: 'erin' }],
        ['delete-message', { id }],
      ];
      for (const [type, payload] of what) expect(await all.refusal(bob, type, payload)).toBe('forbidden');
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await all.heard();
      await bob.user.socket.ask('add-member', { conversation_id, username: 'erin' }, 'member-added');
      await bob.user.socket.ask('remove-member', { conversation_id, username: 'erin' }, 'member-removed');
      await bob.user.socket.ask('delete-message', { id }, 'message-deleted');
      await alice.act('remove-moderator', { conversation_id, username: 'bob' });
      await all.heard();
      expect(await all.refusal(bob, 'add-member', { conversation_id, username: 'erin' })).toBe('forbidden');
      expect(await all.refusal(bob, 'remove-member', { conversation_id, username: 'carol' })).toBe('forbidden');
      expect(await all.refusal(bob, 'delete-message', { id: other })).toBe('forbidden');
    });

    it('are no more when they leave, though they come back', async () => {
      await befriend(alice, bob);
      const { conversation_id } = await begun();
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await bob.act('leave-conversation', { conversation_id });
      await alice.act('add-member', { conversation_id, username: 'bob' });
      expect(await moderators(alice, conversation_id)).toEqual([]);
      await all.heard();
      expect(await all.refusal(bob, 'remove-member', { conversation_id, username: 'carol' })).toBe('forbidden');
    });
  });

  it('are not found where nothing is', async () => {
    for (const type of ['add-moderator', 'remove-moderator'] as const) {
      expect(await all.refusal(alice, type, { conversation_id: nowhere, username: 'bob' })).toBe('not-found');
    }
  });
});
