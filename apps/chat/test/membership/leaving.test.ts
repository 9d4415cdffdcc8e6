import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { befriend, contents, listed, unread, type ObservedUser } from '../support/observed-user';
import { ObservedUsers } from '../support/observed-users';

const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('leaving', () => {
  let all: ObservedUsers;
  let alice: ObservedUser;
  let bob: ObservedUser;
  let carol: ObservedUser;
  let dave: ObservedUser;
  beforeAll(async () => {
    const observers = await ObservedUsers.join(await ChatUnderTest.start(), 'alice', 'bob', 'carol', 'dave');
    all = observers;
    ({ alice, bob, carol, dave } = observers.named);
  });
  afterEach(() => all.reset());
  afterAll(() => all.stop());

  const leave = (who: ObservedUser, conversation_id: string) => who.act('leave-conversation', { conversation_id });

  describe('a group', () => {
    const group = async (...members: ObservedUser[]) => {
      const { id } = await alice.user.open(members.map(({ account }) => account));
      await all.received();
      return id;
    };
    const appoint = (by: ObservedUser, conversation_id: string, { account: username }: ObservedUser) =>
      by.act('add-moderator', { conversation_id, username });

    row('frame leave-conversation', async () => {
      const id = await group(bob, carol);
      const frame = { conversation_id: id };
      expect(await carol.user.socket.request('leave-conversation', frame, 'conversation-removed')).toEqual({ id });
      expect(await listed(carol, id)).toBeUndefined();
      for (const each of [alice, bob]) {
        expect(await listed(each, id)).toMatchObject({ members: ['bob', 'alice'], creator: 'alice' });
      }
    });

    row(
      ['event conversation-removed', 'frame leave-conversation'],
      'goes to the leaver alone, on all sockets',
      async () => {
        const id = await group(bob, carol);
        await leave(bob, id);
        const removed = { type: 'conversation-removed', payload: { id } };
        const delivered = await all.received();
        expect(delivered['bob']).toEqual([removed]);
        for (const other of ['alice', 'carol']) expect(delivered[other]).not.toContainEqual(removed);
      },
    );

    row(
      ['event member-left', 'frame leave-conversation'],
      'is sent to the remaining members, and not to the one that left',
      async () => {
        const id = await group(bob, carol);
        await leave(carol, id);
        const left = { type: 'member-left', payload: { conversation_id: id, member: 'carol' } };
        expect(await all.received()).toEqual({
          alice: [left],
          bob: [left],
          carol: [{ type: 'conversation-removed', payload: { id } }],
        });
      },
    );

    it('removes all access to it, until a friend adds the account again', async () => {
      await befriend(alice, carol);
      const id = await group(bob, carol);
      await carol.user.say(id, 'good-bye');
      await leave(carol, id);
      await alice.user.say(id, 'among us');
      expect((await all.received())['carol']?.map(({ type }) => type)).toEqual([
        'chat-message',
        'conversation-removed',
      ]);
      expect(await all.errorCode(carol, 'chat-message', { conversation_id: id, message: 'back?' })).toBe('not-found');
      expect(await all.errorCode(carol, 'leave-conversation', { conversation_id: id })).toBe('not-found');
      expect(await all.errorCode(carol, 'acknowledgment', { conversation_id: id })).toBe('not-found');
      for (const path of [`conversation?id=${id}`, `chats?conversation_id=${id}`]) {
        expect(await carol.user.getError(`/messages/${path}`)).toMatchObject({ statusCode: 404 });
      }
      expect(await unread(carol)).toEqual([]);
      await alice.act('add-member', { conversation_id: id, username: 'carol' });
      expect(await contents(carol, id)).toEqual(['hello', 'good-bye', 'among us']);
      expect(await unread(carol)).toEqual([]);
    });

    it('is rejected for non-members and unknown conversations', async () => {
      const conversation_id = await group(bob);
      expect(await all.errorCode(dave, 'leave-conversation', { conversation_id })).toBe('not-found');
      expect(await all.errorCode(alice, 'leave-conversation', { conversation_id: nowhere })).toBe('not-found');
    });

    it('makes the first appointed moderator creator, and otherwise the first member', async () => {
      const id = await group(bob, carol, dave);
      await appoint(alice, id, dave);
      await appoint(alice, id, carol);
      expect(await listed(bob, id)).toMatchObject({ moderators: ['dave', 'carol'] });
      await leave(alice, id);
      expect(await listed(bob, id)).toMatchObject({ creator: 'dave', members: ['bob', 'carol', 'dave'] });
      await all.received();
      expect(await all.errorCode(carol, 'rename-conversation', { conversation_id: id, name: 'Mine' })).toBe(
        'forbidden',
      );
      expect(
        await dave.user.socket.request(
          'rename-conversation',
          { conversation_id: id, name: 'Ours' },
          'conversation-renamed',
        ),
      ).toMatchObject({ name: 'Ours' });
      await leave(dave, id);
      expect(await listed(bob, id)).toMatchObject({ creator: 'carol', members: ['bob', 'carol'] });
      await leave(carol, id);
      expect(await listed(bob, id)).toMatchObject({ creator: 'bob', members: ['bob'], moderators: [] });
      await appoint(bob, id, bob);
      expect((await all.received())['bob']?.at(-1)).toMatchObject({ type: 'error', payload: { code: 'conflict' } });
    });

    it('counts from the last time that an account was added or appointed', async () => {
      await befriend(carol, alice);
      const id = await group(bob, carol, dave);
      await appoint(alice, id, bob);
      await appoint(alice, id, carol);
      await alice.act('remove-moderator', { conversation_id: id, username: 'bob' });
      await appoint(alice, id, bob);
      await alice.act('remove-member', { conversation_id: id, username: 'dave' });
      await alice.act('add-member', { conversation_id: id, username: 'dave' });
      await leave(alice, id);
      expect(await listed(dave, id)).toMatchObject({ creator: 'carol', members: ['bob', 'carol', 'dave'] });
      await carol.act('add-member', { conversation_id: id, username: 'alice' });
      await leave(carol, id);
      expect(await listed(dave, id)).toMatchObject({ creator: 'bob', members: ['bob', 'dave', 'alice'] });
      await leave(bob, id);
      expect(await listed(dave, id)).toMatchObject({ creator: 'dave', members: ['dave', 'alice'] });
      await all.received();
      expect(await all.errorCode(alice, 'rename-conversation', { conversation_id: id, name: 'Mine' })).toBe(
        'forbidden',
      );
    });

    it('does not promote a former moderator first', async () => {
      const id = await group(bob, carol);
      await appoint(alice, id, carol);
      await alice.act('remove-moderator', { conversation_id: id, username: 'carol' });
      await leave(alice, id);
      expect(await listed(carol, id)).toMatchObject({ creator: 'bob', moderators: [] });
    });

    it('as the last member ends it', async () => {
      const id = await group(bob);
      await leave(alice, id);
      await all.received();
      await leave(bob, id);
      expect(await all.received()).toEqual({ bob: [{ type: 'conversation-removed', payload: { id } }] });
      for (const each of [alice, bob]) {
        expect(await listed(each, id)).toBeUndefined();
        expect(await all.errorCode(each, 'chat-message', { conversation_id: id, message: 'anybody?' })).toBe(
          'not-found',
        );
        expect(await all.errorCode(each, 'add-member', { conversation_id: id, username: 'carol' })).toBe('not-found');
      }
    });
  });

  describe('a dm', () => {
    const dm = async () => {
      const created = await alice.user.open('bob');
      await all.received();
      return created;
    };

    it('hides it from the account that leaves, and does not affect the other one', async () => {
      const { id } = await dm();
      await bob.user.say(id, 'read me');
      const before = await listed(bob, id);
      await all.received();
      await leave(alice, id);
      expect(await all.received()).toEqual({ alice: [{ type: 'conversation-removed', payload: { id } }] });
      expect(await listed(alice, id)).toBeUndefined();
      expect(await unread(alice)).toEqual([]);
      expect(await listed(bob, id)).toEqual(before);
      expect(await unread(bob)).toEqual(['hello']);
      expect(await contents(bob, id)).toEqual(['hello', 'read me']);
    });

    it("lasts until the other account's next message, which restores it completely", async () => {
      const { id } = await dm();
      await bob.user.say(id, 'read me');
      await leave(alice, id);
      await all.received();
      const message = { type: 'chat-message', payload: await bob.user.say(id, 'are you there?') };
      const created = { type: 'conversation-created', payload: await listed(alice, id) };
      expect(await all.received()).toEqual({ alice: [created, message], bob: [message] });
      expect(created.payload).toEqual(await listed(bob, id));
      expect(await contents(alice, id)).toEqual(['hello', 'read me', 'are you there?']);
      expect(await unread(alice)).toEqual(['read me', 'are you there?']);
      await bob.user.say(id, 'and again');
      expect((await all.received())['alice']?.map(({ type }) => type)).toEqual(['chat-message']);
    });

    it.each([
      ['chat-message', 'by its id', (id: string) => ({ conversation_id: id, to: 'bob', message: 'me again' })],
      ['chat-message', 'by the other account', () => ({ to: 'bob', message: 'me again' })],
      ['create-conversation', 'as if it were new', () => ({ to: 'bob', message: 'me again' })],
    ] as const)("or the leaver's own %s %s", async (type, _how, frame) => {
      const { id } = await dm();
      await leave(alice, id);
      await all.received();
      await alice.act(type, frame(id));
      const created = { type: 'conversation-created', payload: await listed(alice, id) };
      expect(created.payload).toMatchObject({ id, type: 'dm' });
      const [message] = (await alice.user.history(id)).slice(-1);
      const delivered = { type: 'chat-message', payload: message };
      expect(await all.received()).toEqual({ alice: [created, delivered], bob: [delivered] });
      expect(await contents(bob, id)).toEqual(['hello', 'me again']);
    });

    it('is undone by create-conversation of the other account too, which gets the conversation as its reply', async () => {
      const { id } = await dm();
      await leave(alice, id);
      await all.received();
      const socket = await bob.user.connect();
      socket.send('create-conversation', { to: 'alice', message: 'come back' }, { ref: 'again' });
      const replies = [1, 2].map(() => socket.nextMatching(({ ref }) => ref === 'again'));
      const types = ['conversation-created', 'chat-message'];
      expect((await Promise.all(replies)).map(({ type }) => type)).toEqual(types);
      const others = Object.entries(await all.received()).map(([account, frames]) => [
        account,
        frames.map(({ type }) => type),
      ]);
      expect(Object.fromEntries(others)).toEqual({ alice: types, bob: ['chat-message'] });
      await socket.close();
    });

    it('by both is undone for both by the next message', async () => {
      const { id } = await dm();
      await leave(alice, id);
      await leave(bob, id);
      await all.received();
      await bob.act('create-conversation', { to: 'alice', message: 'me again' });
      const types = ['conversation-created', 'chat-message'];
      const received = Object.entries(await all.received()).map(([account, frames]) => [
        account,
        frames.map(({ type }) => type),
      ]);
      expect(Object.fromEntries(received)).toEqual({ alice: types, bob: types });
      for (const each of [alice, bob]) expect(await listed(each, id)).toMatchObject({ id });
    });

    it('replies twice, and hides it once', async () => {
      const { id } = await dm();
      await leave(alice, id);
      await leave(alice, id);
      const removed = { type: 'conversation-removed', payload: { id } };
      expect(await all.received()).toEqual({ alice: [removed, removed] });
      await bob.user.say(id, 'are you there?');
      expect((await all.received())['alice']?.map(({ type }) => type)).toEqual([
        'conversation-created',
        'chat-message',
      ]);
    });

    it('a second time hides it again', async () => {
      const { id } = await dm();
      await leave(alice, id);
      await bob.user.say(id, 'are you there?');
      await leave(alice, id);
      await all.received();
      expect(await listed(alice, id)).toBeUndefined();
      expect(await unread(alice)).toEqual([]);
    });

    it('is not undone by a rejected message, nor by reading, acknowledging or deleting', async () => {
      const { id } = await dm();
      const { id: message } = await bob.user.say(id, 'never mind');
      await leave(alice, id);
      await bob.act('delete-message', { id: message });
      await alice.act('acknowledgment', { conversation_id: id });
      expect(await contents(alice, id)).toEqual(['hello']);
      await alice.act('block-user', { username: 'bob' });
      await all.received();
      expect(await all.errorCode(bob, 'chat-message', { conversation_id: id, message: 'are you there?' })).toBe(
        'blocked',
      );
      expect(await listed(alice, id)).toBeUndefined();
    });

    it('is rejected for others', async () => {
      const { id } = await dm();
      expect(await all.errorCode(carol, 'leave-conversation', { conversation_id: id })).toBe('not-found');
    });
  });
});
