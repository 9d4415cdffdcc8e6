import { type ClientFrameType } from '@waggle/contracts';
import { ChatUnderTest } from './chat-under-test';
import { row } from './interface-rows';
import { Stored } from './stored';
import { Witness, type Told } from './witness';

const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('moderators', () => {
  let chat: ChatUnderTest;
  let stored: Stored;
  /** Creator, three members, and one who is not in it. */
  let alice: Witness;
  let bob: Witness;
  let carol: Witness;
  let dave: Witness;
  let erin: Witness;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    stored = await Stored.of(chat.database);
    alice = await Witness.join(chat.instance, 'alice');
    bob = await Witness.join(chat.instance, 'bob');
    carol = await Witness.join(chat.instance, 'carol');
    dave = await Witness.join(chat.instance, 'dave');
    erin = await Witness.join(chat.instance, 'erin');
  });
  afterEach(async () => {
    await heard();
    await stored.clear();
  });
  afterAll(async () => {
    await chat.instance.close();
    await stored.close();
    await chat.stop();
  });

  /** What everybody has heard on each of two sockets since the last time, by account; who heard nothing is left out. */
  const heard = async (): Promise<Record<string, Told[]>> => {
    const everybody = [alice, bob, carol, dave, erin];
    const told = await Promise.all(everybody.map(async (each) => [each.account, await each.heard()] as const));
    return Object.fromEntries(told.filter(([, frames]) => frames.length > 0));
  };
  const inGroup = async () => {
    const { id } = await alice.user.open(['bob', 'carol', 'dave']);
    return id;
  };
  const inChannel = async () => {
    const { id } = await alice.user.createChannel('Bees');
    for (const username of ['bob', 'carol', 'dave']) await alice.act('add-member', { conversation_id: id, username });
    return id;
  };
  /** The refusal must leave everything as it was, and be told to nobody else. */
  const refusal = async (who: Witness, type: ClientFrameType, payload: object) => {
    const before = await stored.fingerprints();
    const code = await who.refused(type, payload);
    expect(await stored.fingerprints()).toEqual(before);
    expect(await heard()).toEqual({});
    return code;
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
    await heard();
    await alice.act('add-moderator', { conversation_id: id, username: 'bob' });
    const added = { type: 'moderator-added', payload: { conversation_id: id, username: 'bob' } };
    expect(await heard()).toEqual({ alice: [added], bob: [added], carol: [added], dave: [added] });
  });

  row('event moderator-removed', 'goes to all members', async () => {
    const id = await inGroup();
    await alice.act('add-moderator', { conversation_id: id, username: 'bob' });
    await heard();
    await alice.act('remove-moderator', { conversation_id: id, username: 'bob' });
    const removed = { type: 'moderator-removed', payload: { conversation_id: id, username: 'bob' } };
    expect(await heard()).toEqual({ alice: [removed], bob: [removed], carol: [removed], dave: [removed] });
  });

  row(['frame add-moderator', 'frame remove-moderator'], 'are refused in a dm', async () => {
    const { id } = await alice.user.open('bob');
    await heard();
    for (const type of ['add-moderator', 'remove-moderator'] as const) {
      for (const username of ['alice', 'bob', 'carol']) {
        expect(await refusal(alice, type, { conversation_id: id, username })).toBe('forbidden');
      }
    }
  });

  describe.each([
    ['group', () => inGroup()],
    ['channel', () => inChannel()],
  ])('in a %s', (kind, begin) => {
    const begun = async () => {
      const conversation_id = await begin();
      await heard();
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
      await heard();
      for (const username of ['alice', 'bob', 'carol', 'dave', 'erin', 'nobody-here']) {
        for (const type of ['add-moderator', 'remove-moderator'] as const) {
          expect(await refusal(bob, type, { conversation_id, username })).toBe('forbidden');
          expect(await refusal(carol, type, { conversation_id, username })).toBe('forbidden');
          // Channels are there for all to see.
          const code = kind === 'group' ? 'not-found' : 'forbidden';
          expect(await refusal(erin, type, { conversation_id, username })).toBe(code);
        }
      }
    });

    it('are members', async () => {
      const { conversation_id } = await begun();
      for (const username of ['erin', 'nobody-here']) {
        expect(await refusal(alice, 'add-moderator', { conversation_id, username })).toBe('not-found');
        expect(await refusal(alice, 'remove-moderator', { conversation_id, username })).toBe('not-found');
      }
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await alice.act('remove-member', { conversation_id, username: 'bob' });
      await heard();
      expect(await refusal(alice, 'add-moderator', { conversation_id, username: 'bob' })).toBe('not-found');
      expect(await refusal(alice, 'remove-moderator', { conversation_id, username: 'bob' })).toBe('not-found');
      expect(await moderators(alice, conversation_id)).toEqual([]);
    });

    it('are made once and unmade once, and the creator is none', async () => {
      const { conversation_id } = await begun();
      const bobs = { conversation_id, username: 'bob' };
      expect(await refusal(alice, 'remove-moderator', bobs)).toBe('conflict');
      await alice.act('add-moderator', bobs);
      await heard();
      expect(await refusal(alice, 'add-moderator', bobs)).toBe('conflict');
      await alice.act('remove-moderator', bobs);
      await heard();
      expect(await refusal(alice, 'remove-moderator', bobs)).toBe('conflict');
      const own = { conversation_id, username: 'alice' };
      expect(await refusal(alice, 'add-moderator', own)).toBe('conflict');
      expect(await refusal(alice, 'remove-moderator', own)).toBe('conflict');
    });

    it('may add, remove and delete from then on, and not once they are unmade', async () => {
      const { conversation_id } = await begun();
      const { id } = await dave.user.say(conversation_id, 'delete me');
      const { id: other } = await dave.user.say(conversation_id, 'and me');
      await heard();
      const what: [ClientFrameType, object][] = [
        ['add-member', { conversation_id, username: 'erin' }],
        ['remove-member', { conversation_id, username: 'erin' }],
        ['delete-message', { id }],
      ];
      for (const [type, payload] of what) expect(await refusal(bob, type, payload)).toBe('forbidden');
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await heard();
      await bob.user.socket.ask('add-member', { conversation_id, username: 'erin' }, 'member-added');
      await bob.user.socket.ask('remove-member', { conversation_id, username: 'erin' }, 'member-removed');
      await bob.user.socket.ask('delete-message', { id }, 'message-deleted');
      await alice.act('remove-moderator', { conversation_id, username: 'bob' });
      await heard();
      expect(await refusal(bob, 'add-member', { conversation_id, username: 'erin' })).toBe('forbidden');
      expect(await refusal(bob, 'remove-member', { conversation_id, username: 'carol' })).toBe('forbidden');
      expect(await refusal(bob, 'delete-message', { id: other })).toBe('forbidden');
    });

    it('are no more when they leave, though they come back', async () => {
      const { conversation_id } = await begun();
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await bob.act('leave-conversation', { conversation_id });
      await alice.act('add-member', { conversation_id, username: 'bob' });
      expect(await moderators(alice, conversation_id)).toEqual([]);
      await heard();
      expect(await refusal(bob, 'remove-member', { conversation_id, username: 'carol' })).toBe('forbidden');
    });
  });

  it('are not found where nothing is', async () => {
    for (const type of ['add-moderator', 'remove-moderator'] as const) {
      expect(await refusal(alice, type, { conversation_id: nowhere, username: 'bob' })).toBe('not-found');
    }
  });
});
