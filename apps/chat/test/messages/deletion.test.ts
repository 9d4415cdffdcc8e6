import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { contents, unread, type ObservedUser } from '../support/observed-user';
import { ObservedUsers } from '../support/observed-users';

const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('deletion', () => {
  let all: ObservedUsers;
  /** Creator, moderator, two members, and an outsider. */
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

  const inDm = async () => (await alice.user.open('bob')).id;
  const inGroup = async () => {
    const { id } = await alice.user.open(['bob', 'carol', 'dave']);
    await alice.act('add-moderator', { conversation_id: id, username: 'bob' });
    return id;
  };
  const inChannel = async () => {
    const { id } = await alice.user.createChannel('Bees');
    for (const username of ['bob', 'carol', 'dave']) await alice.act('add-member', { conversation_id: id, username });
    await alice.act('add-moderator', { conversation_id: id, username: 'bob' });
    await alice.user.say(id, 'hello');
    return id;
  };
  const write = async (who: ObservedUser, conversationId: string, text = 'delete me') => {
    const { id } = await who.user.say(conversationId, text);
    await all.received();
    return id;
  };
  const errorCode = (who: ObservedUser, id: string) => all.errorCode(who, 'delete-message', { id });

  row('frame delete-message', 'replies, and deletes for all accounts', async () => {
    const conversationId = await inGroup();
    const id = await write(carol, conversationId);
    expect(await carol.user.socket.request('delete-message', { id }, 'message-deleted')).toEqual({ id });
    for (const each of [alice, bob, carol, dave]) expect(await contents(each, conversationId)).toEqual(['hello']);
  });

  row('event message-deleted', 'is sent to all members', async () => {
    const id = await write(carol, await inGroup());
    await bob.act('delete-message', { id });
    const deleted = { type: 'message-deleted', payload: { id } };
    expect(await all.received()).toEqual({ alice: [deleted], bob: [deleted], carol: [deleted], dave: [deleted] });
  });

  row('event message-deleted', 'in a dm is sent to both accounts', async () => {
    const id = await write(bob, await inDm());
    await bob.act('delete-message', { id });
    const deleted = { type: 'message-deleted', payload: { id } };
    expect(await all.received()).toEqual({ alice: [deleted], bob: [deleted] });
  });

  it('removes the message from history, pages and unread messages, and nothing else', async () => {
    const conversationId = await inGroup();
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three', 'four']) ids.push(await write(carol, conversationId, text));
    await carol.act('delete-message', { id: ids[1] });
    await carol.act('delete-message', { id: ids[3] });
    for (const each of [alice, bob, carol, dave]) {
      expect(await contents(each, conversationId)).toEqual(['hello', 'one', 'three']);
      const page = await each.user.history(conversationId, '&limit=2');
      expect(page.map(({ content }) => content)).toEqual(['one', 'three']);
    }
    expect(await unread(alice)).toEqual(['one', 'three']);
    expect(await unread(dave)).toEqual(['hello', 'one', 'three']);
    const later = await dave.user.say(conversationId, 'five');
    const [, , third] = await dave.user.history(conversationId);
    expect(later.timestamp > (third?.timestamp ?? '')).toBe(true);
    expect(await contents(alice, conversationId)).toEqual(['hello', 'one', 'three', 'five']);
    await alice.act('acknowledgment', { conversation_id: conversationId });
    expect(await unread(alice)).toEqual([]);
  });

  it('is not visible to later members', async () => {
    const conversation_id = await inGroup();
    const id = await write(carol, conversation_id);
    await carol.act('delete-message', { id });
    await alice.act('add-member', { conversation_id, username: 'erin' });
    expect(await contents(erin, conversation_id)).toEqual(['hello']);
    await all.received();
    expect(await errorCode(erin, id)).toBe('not-found');
  });

  describe.each([
    ['a dm', () => inDm(), 'alice'],
    ['a group', () => inGroup(), 'carol'],
    ['a channel', () => inChannel(), 'carol'],
  ])('in %s', (_where, begin, sender) => {
    const written = async () => {
      const conversationId = await begin();
      const who = sender === 'alice' ? alice : carol;
      return { conversationId, who, id: await write(who, conversationId) };
    };

    it('is allowed for own messages', async () => {
      const { conversationId, who, id } = await written();
      await who.user.socket.request('delete-message', { id }, 'message-deleted');
      expect(await contents(bob, conversationId)).toEqual(['hello']);
    });

    it('succeeds once', async () => {
      const { who, id } = await written();
      await who.act('delete-message', { id });
      await all.received();
      expect(await errorCode(who, id)).toBe('not-found');
      expect(await errorCode(alice, id)).toBe('not-found');
      expect(await errorCode(bob, id)).toBe('not-found');
    });
  });

  describe.each([
    ['a group', () => inGroup()],
    ['a channel', () => inChannel()],
  ])('in %s', (where, begin) => {
    row('frame delete-message', 'works on all messages for creator and moderators', async () => {
      const conversationId = await begin();
      const ids: [ObservedUser, string][] = [];
      for (const by of [alice, bob]) {
        for (const writer of [alice, bob, carol]) ids.push([by, await write(writer, conversationId)]);
      }
      for (const [by, id] of ids) await by.user.socket.request('delete-message', { id }, 'message-deleted');
      expect(await contents(dave, conversationId)).toEqual(['hello']);
    });

    row('frame delete-message', "is not of others' messages for members, nor for others at all", async () => {
      const conversationId = await begin();
      for (const id of [await write(alice, conversationId), await write(carol, conversationId)]) {
        expect(await errorCode(dave, id)).toBe('forbidden');
        expect(await errorCode(erin, id)).toBe(where === 'a group' ? 'not-found' : 'forbidden');
      }
    });
  });

  row('frame delete-message', 'in a dm is not of what the other side wrote, nor for others', async () => {
    const conversationId = await inDm();
    expect(await errorCode(alice, await write(bob, conversationId))).toBe('forbidden');
    const id = await write(alice, conversationId);
    expect(await errorCode(bob, id)).toBe('forbidden');
    expect(await errorCode(carol, id)).toBe('not-found');
  });

  it('is rejected for unknown ids, including that of a conversation', async () => {
    expect(await errorCode(alice, nowhere)).toBe('not-found');
    const id = await inGroup();
    await all.received();
    expect(await errorCode(alice, id)).toBe('not-found');
  });

  it.each([[undefined], [null], [7], [['a']], ['two words'], ['']])('is rejected for an invalid id: %j', async (id) => {
    expect(await alice.errorCode('delete-message', { id })).toBe('invalid-frame');
  });
});
