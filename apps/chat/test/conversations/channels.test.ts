import { conversation } from '@waggle/contracts';
import { Client } from 'pg';
import { z } from 'zod';
import { bearer, errorOf } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { DatabaseState } from '../support/database-state';
import { contents, listed, unread, type ObservedUser } from '../support/observed-user';
import { ObservedUsers } from '../support/observed-users';

const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('channels', () => {
  let chat: ChatUnderTest;
  let all: ObservedUsers;
  /** Creator, moderator, member, two accounts outside the channel, and an admin. */
  let alice: ObservedUser;
  let bob: ObservedUser;
  let carol: ObservedUser;
  let dave: ObservedUser;
  let erin: ObservedUser;
  let judy: ObservedUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start({ admins: ['judy'] });
    const observers = await ObservedUsers.join(chat, 'alice', 'bob', 'carol', 'dave', 'erin', 'judy');
    all = observers;
    ({ alice, bob, carol, dave, erin, judy } = observers.named);
  });
  afterEach(() => all.reset());
  afterAll(() => all.stop());

  /** A channel of alice, bob and carol with one message; bob is a moderator. */
  const channel = async () => {
    const { id } = await alice.user.createChannel('Bees');
    for (const username of ['bob', 'carol']) await alice.act('add-member', { conversation_id: id, username });
    await alice.act('add-moderator', { conversation_id: id, username: 'bob' });
    await alice.user.say(id, 'hello');
    await all.received();
    return id;
  };
  const created = (who: ObservedUser) => who.user.getJson('/users/channels', z.array(conversation));
  const members = async (id: string) => (await alice.user.conversation(id)).members;

  describe('are created', () => {
    row(['POST /users/channels', 'resource conversation'], 'with a name', async () => {
      const channel = await alice.user.createChannel(' Bees & 🐝 ');
      expect(channel).toEqual({ id: channel.id, name: 'Bees & 🐝', creator: 'alice' });
      expect(await listed(alice, channel.id)).toEqual({
        id: channel.id,
        type: 'channel',
        name: 'Bees & 🐝',
        creator: 'alice',
        members: ['alice'],
        moderators: [],
        blocked: false,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
    });

    row('resource created channel', 'has nothing but id, name and creator', async () => {
      expect(Object.keys(await alice.user.createChannel('Bees'))).toEqual(['id', 'name', 'creator']);
    });

    row(
      'event conversation-created',
      'of a channel is sent to its creator on all sockets, and to no one else',
      async () => {
        const { id } = await alice.user.createChannel('Bees');
        const payload = await listed(alice, id);
        expect(payload).toMatchObject({ members: ['alice'] });
        expect(await all.received()).toEqual({ alice: [{ type: 'conversation-created', payload }] });
      },
    );

    it('any number of times, even with the same name', async () => {
      const ids = [await alice.user.createChannel('Bees'), await bob.user.createChannel('Bees')].map(({ id }) => id);
      expect(new Set(ids).size).toBe(2);
      expect(await contents(alice, ids[0] ?? '')).toEqual([]);
    });

    row('GET /users/channels', 'has those that the caller created, and no other conversation', async () => {
      const first = await alice.user.createChannel('Bees');
      const second = await alice.user.createChannel('Ants');
      const bobs = await bob.user.createChannel('Wasps');
      await bob.act('add-member', { conversation_id: bobs.id, username: 'alice' });
      await bob.act('add-moderator', { conversation_id: bobs.id, username: 'alice' });
      await alice.user.open(['bob']);
      await alice.user.open('bob');
      expect(await created(alice)).toEqual([await listed(alice, first.id), await listed(alice, second.id)]);
      expect(await created(bob)).toEqual([await listed(bob, bobs.id)]);
      expect(await created(carol)).toEqual([]);
      expect(await created(judy)).toEqual([]);
    });

    row('limit name', 'of a channel', async () => {
      for (const name of ['x', 'x'.repeat(64), '🐝'.repeat(64), '👩‍🌾 farm']) {
        expect((await alice.user.createChannel(name)).name).toBe(name);
      }
      for (const name of ['x'.repeat(65), '🐝'.repeat(65), ' ', '', '\u3164', 'a\u034Fb', 'a\u200Db']) {
        expect(await rejected({ name })).toMatchObject({ statusCode: 400, message: expect.stringContaining('name') });
      }
    });

    const rejected = async (body: unknown) =>
      errorOf(await chat.instance.post('/users/channels', body, bearer(alice.user.session.token)));

    it.each([
      [{}],
      [{ name: null }],
      [{ name: 5 }],
      [{ name: true }],
      [{ name: ['Bees'] }],
      [{ name: { a: 1 } }],
      [{ name: 'a\0b' }],
    ])('not from an invalid body, whose field is named: %j', async (body) => {
      const message = expect.stringContaining('name') as unknown;
      expect(await rejected(body)).toMatchObject({ statusCode: 400, code: 'invalid-request', message });
      expect(await created(alice)).toEqual([]);
      expect(await all.received()).toEqual({});
    });

    it.each([[null], [5], ['Bees'], [['Bees']]])('not from a body that is not an object: %j', async (body) => {
      expect(await rejected(body)).toMatchObject({ statusCode: 400, code: 'invalid-request' });
    });

    it.each([
      ['text/plain', '{"name": "Bees"}'],
      ['text/plain', 'Bees'],
      ['application/json', 'Bees'],
      ['application/json', ''],
    ])('not from a body of type %s that is %j', async (type, body) => {
      const response = await fetch(`${chat.instance.url}/users/channels`, {
        method: 'POST',
        headers: { ...bearer(alice.user.session.token), 'Content-Type': type },
        body,
      });
      expect(await errorOf(response)).toMatchObject({ statusCode: 400, code: 'invalid-request' });
      expect(await created(alice)).toEqual([]);
    });

    it('and listed only with credentials', async () => {
      const unauthenticated = { statusCode: 401, code: 'unauthenticated' };
      expect(await errorOf(await chat.instance.post('/users/channels', { name: 'Bees' }))).toMatchObject(
        unauthenticated,
      );
      expect(await chat.instance.getError('/users/channels')).toMatchObject(unauthenticated);
    });

    it('and other fields of the body are ignored', async () => {
      const body = { name: 'Bees', id: nowhere, creator: 'bob', members: ['bob'], type: 'dm' };
      const response = await chat.instance.post('/users/channels', body, bearer(alice.user.session.token));
      expect(response.ok).toBe(true);
      expect(await created(alice)).toMatchObject([
        { name: 'Bees', type: 'channel', creator: 'alice', members: ['alice'] },
      ]);
    });
  });

  describe('are public', () => {
    it('can be read by any account without becoming a member', async () => {
      const id = await channel();
      const seen = await alice.user.conversation(id);
      expect(await dave.user.conversation(id)).toEqual(seen);
      expect(await erin.user.getJson(`/messages/conversation?ids=${nowhere},${id}`, z.array(conversation))).toEqual([
        seen,
      ]);
      expect(await contents(dave, id)).toEqual(['hello']);
      expect(await listed(dave, id)).toBeUndefined();
      expect(await members(id)).toEqual(['alice', 'bob', 'carol']);
      expect(await unread(dave)).toEqual([]);
      expect(await all.received()).toEqual({});
    });

    row(['frame chat-message', 'resource message'], 'into a channel makes the sender a member', async () => {
      const id = await channel();
      const said = await dave.user.say(id, 'hello all');
      expect(said).toMatchObject({ conversation_id: id, from: 'dave', to: null, read: true });
      const conversationNow = await listed(dave, id);
      expect(conversationNow).toMatchObject({ members: ['alice', 'bob', 'carol', 'dave'] });
      const added = { type: 'member-added', payload: { conversation_id: id, username: 'dave' } };
      const others = [added, { type: 'chat-message', payload: { ...said, read: false } }];
      expect(await all.received()).toEqual({
        alice: others,
        bob: others,
        carol: others,
        dave: [
          { type: 'conversation-created', payload: { ...conversationNow, members: ['alice', 'dave'] } },
          added,
          { type: 'chat-message', payload: said },
        ],
      });
      const again = { type: 'chat-message', payload: await dave.user.say(id, 'once more') };
      const unreadAgain = { ...again, payload: { ...again.payload, read: false } };
      expect(await all.received()).toEqual({
        alice: [unreadAgain],
        bob: [unreadAgain],
        carol: [unreadAgain],
        dave: [again],
      });
    });

    it('and a join stores little, however many members there are', async () => {
      const { id } = await alice.user.createChannel('Bees');
      const database = new Client({ connectionString: chat.database.url });
      await database.connect();
      await database.query(
        `INSERT INTO member (conversation_id, account) SELECT $1, 'member-' || n FROM generate_series(1, 5000) n`,
        [id],
      );
      const storedBytes = async () => {
        const { rows } = await database.query<{ bytes: number }>(
          'SELECT sum(octet_length(events::text))::int AS bytes FROM event WHERE stream = $1',
          [id],
        );
        return rows[0]?.bytes ?? 0;
      };
      const before = await storedBytes();
      await dave.user.say(id, 'by writing');
      const byWriting = await storedBytes();
      await alice.act('add-member', { conversation_id: id, username: 'erin' });
      const byBeingAdded = await storedBytes();
      await database.end();
      expect(byWriting - before).toBeLessThan(600);
      expect(byBeingAdded - byWriting).toBeLessThan(600);
      const delivered = await all.received();
      for (const joined of ['dave', 'erin']) {
        expect(delivered[joined]?.[0]).toMatchObject({
          type: 'conversation-created',
          payload: { id, members: ['alice', joined] },
        });
      }
      expect((await members(id)).slice(0, 3)).toEqual(['alice', 'member-1', 'member-2']);
      expect(await members(id)).toHaveLength(250);
    });

    it('and an account that joins by writing has no unread messages', async () => {
      const id = await channel();
      await dave.user.say(id, 'here I am');
      expect(await unread(dave)).toEqual([]);
      expect((await dave.user.history(id)).map(({ read }) => read)).toEqual([true, true]);
      await alice.user.say(id, 'welcome');
      expect(await unread(dave)).toEqual(['welcome']);
      expect((await dave.user.history(id)).map(({ read }) => read)).toEqual([true, true, false]);
    });

    it.each([
      ['conversation?id=', (id: string) => id],
      ['conversation?ids=', (id: string) => `${nowhere},${id}`],
      ['chats?conversation_id=', (id: string) => id],
    ])('and an account that has requested %s receives its events without being a member', async (path, query) => {
      const id = await channel();
      expect((await chat.instance.get(`/messages/${path}${query(id)}`, bearer(dave.user.session.token))).ok).toBe(true);
      const { id: message } = await carol.user.say(id, 'live');
      await alice.act('add-member', { conversation_id: id, username: 'erin' });
      await alice.act('add-moderator', { conversation_id: id, username: 'carol' });
      await alice.act('remove-moderator', { conversation_id: id, username: 'carol' });
      await alice.act('rename-conversation', { conversation_id: id, name: 'Wasps' });
      await bob.act('delete-message', { id: message });
      await alice.act('remove-member', { conversation_id: id, username: 'erin' });
      await carol.act('leave-conversation', { conversation_id: id });
      const delivered = (await all.received())['dave'];
      expect(delivered?.map(({ type }) => type)).toEqual([
        'chat-message',
        'member-added',
        'moderator-added',
        'moderator-removed',
        'conversation-renamed',
        'message-deleted',
        'member-removed',
        'member-left',
      ]);
      expect(delivered?.[0]).toMatchObject({ payload: { id: message, content: 'live', read: false, to: null } });
      expect(await unread(dave)).toEqual([]);
      expect(await listed(dave, id)).toBeUndefined();
    });

    it('and other accounts receive nothing', async () => {
      const id = await channel();
      await dave.user.conversations();
      await created(dave);
      await carol.user.say(id, 'live');
      expect(Object.keys(await all.received())).toEqual(['alice', 'bob', 'carol']);
    });

    row('frame acknowledgment', 'in a channel is also for who only reads it', async () => {
      const id = await channel();
      const seen = async (who: ObservedUser) => (await who.user.history(id)).map(({ read }) => read);
      expect(await seen(dave)).toEqual([false]);
      await dave.act('acknowledgment', { conversation_id: id });
      expect(await all.received()).toEqual({ dave: [{ type: 'acknowledged', payload: { conversation_id: id } }] });
      expect(await seen(dave)).toEqual([true]);
      expect(await seen(bob)).toEqual([false]);
      expect(await members(id)).toEqual(['alice', 'bob', 'carol']);
      await carol.user.say(id, 'live');
      expect(await seen(dave)).toEqual([true, false]);
      expect((await all.received())['dave']?.map(({ type }) => type)).toEqual(['chat-message']);
      await dave.user.say(id, 'here I am');
      expect(await seen(dave)).toEqual([true, true, true]);
      expect(await members(id)).toEqual(['alice', 'bob', 'carol', 'dave']);
    });

    it.each(['bob', null])(
      'and accept a message with any `to`, which is stored and delivered as null: %j',
      async (to) => {
        const id = await channel();
        await carol.act('chat-message', { conversation_id: id, to, message: 'to all' });
        const toNull = [{ payload: { to: null } }];
        expect(await all.received()).toMatchObject({ alice: toNull, bob: toNull, carol: toNull });
        expect((await dave.user.history(id)).map((each) => each.to)).toEqual([null, null]);
      },
    );
  });

  describe('are left', () => {
    it('by a member, which receives nothing more until it requests the channel again', async () => {
      const id = await channel();
      await carol.user.conversation(id);
      await carol.act('leave-conversation', { conversation_id: id });
      const left = { type: 'member-left', payload: { conversation_id: id, member: 'carol' } };
      expect(await all.received()).toEqual({
        alice: [left],
        bob: [left],
        carol: [{ type: 'conversation-removed', payload: { id } }],
      });
      expect(await listed(carol, id)).toBeUndefined();
      await bob.user.say(id, 'without carol');
      expect(Object.keys(await all.received())).toEqual(['alice', 'bob']);
      expect(await contents(carol, id)).toEqual(['hello', 'without carol']);
      await bob.user.say(id, 'live');
      expect((await all.received())['carol']?.map(({ type }) => type)).toEqual(['chat-message']);
      await carol.user.say(id, 'back again');
      expect(await members(id)).toEqual(['alice', 'bob', 'carol']);
    });

    it('by a follower, without an event to others', async () => {
      const id = await channel();
      await dave.user.conversation(id);
      await dave.act('leave-conversation', { conversation_id: id });
      expect(await all.received()).toEqual({ dave: [{ type: 'conversation-removed', payload: { id } }] });
      await bob.user.say(id, 'without dave');
      expect(Object.keys(await all.received())).toEqual(['alice', 'bob', 'carol']);
    });

    it('by an account that is not a member, without a visible change for others', async () => {
      const id = await channel();
      const before = await alice.user.conversations();
      await dave.act('leave-conversation', { conversation_id: id });
      expect(await alice.user.conversations()).toEqual(before);
    });

    it('by an account that is not subscribed, without an entry in the log', async () => {
      const id = await channel();
      const stored = await DatabaseState.connect(chat.database);
      const before = await stored.fingerprints();
      await dave.act('leave-conversation', { conversation_id: id });
      const { conversation: conversations, member } = await stored.fingerprints();
      await stored.close();
      expect([conversations, member]).toEqual([before['conversation'], before['member']]);
      expect(await all.received()).toEqual({ dave: [{ type: 'conversation-removed', payload: { id } }] });
    });

    it('by the creator, whose successor is the moderator who was appointed first', async () => {
      const id = await channel();
      await alice.act('leave-conversation', { conversation_id: id });
      expect(await dave.user.conversation(id)).toMatchObject({ creator: 'bob', members: ['bob', 'carol'] });
      expect((await created(bob)).map((each) => each.id)).toEqual([id]);
      await all.received();
      expect(await all.errorCode(alice, 'rename-conversation', { conversation_id: id, name: 'Mine' })).toBe(
        'forbidden',
      );
      await bob.user.socket.request(
        'rename-conversation',
        { conversation_id: id, name: 'Ours' },
        'conversation-renamed',
      );
    });

    it('by the last member, and can still be read and rejoined', async () => {
      const { id } = await alice.user.createChannel('Bees');
      await alice.user.say(id, 'hello');
      await alice.act('leave-conversation', { conversation_id: id });
      expect(await contents(dave, id)).toEqual(['hello']);
      await dave.user.say(id, 'anybody?');
      expect(await members(id)).toEqual(['dave']);
    });
  });

  describe('ban removed accounts', () => {
    const withoutCarol = async () => {
      const id = await channel();
      await carol.user.conversation(id);
      await bob.act('remove-member', { conversation_id: id, username: 'carol' });
      return id;
    };

    it('with the same events as in a group', async () => {
      const id = await withoutCarol();
      const removed = { type: 'member-removed', payload: { conversation_id: id, username: 'carol' } };
      expect(await all.received()).toEqual({
        alice: [removed],
        bob: [removed],
        carol: [{ type: 'conversation-removed', payload: { id } }],
      });
    });

    it('which can read, but neither write nor receive events', async () => {
      const id = await withoutCarol();
      await all.received();
      expect(await all.errorCode(carol, 'chat-message', { conversation_id: id, message: 'let me in' })).toBe(
        'forbidden',
      );
      expect(await contents(carol, id)).toEqual(['hello']);
      expect(await carol.user.conversation(id)).toMatchObject({ members: ['alice', 'bob'] });
      expect(await carol.user.getJson(`/messages/conversation?ids=${id}`, z.array(conversation))).toHaveLength(1);
      await alice.user.say(id, 'among us');
      await alice.act('rename-conversation', { conversation_id: id, name: 'Wasps' });
      expect(Object.keys(await all.received())).toEqual(['alice', 'bob']);
      expect(await unread(carol)).toEqual([]);
      expect(await listed(carol, id)).toBeUndefined();
    });

    it('whatever else they try', async () => {
      const id = await withoutCarol();
      await carol.act('acknowledgment', { conversation_id: id });
      await carol.act('leave-conversation', { conversation_id: id });
      await all.received();
      expect(await all.errorCode(carol, 'chat-message', { conversation_id: id, message: 'let me in' })).toBe(
        'forbidden',
      );
      for (const type of ['add-member', 'remove-member', 'add-moderator', 'remove-moderator'] as const) {
        expect(await all.errorCode(carol, type, { conversation_id: id, username: 'carol' })).toBe('forbidden');
      }
      expect(await all.errorCode(carol, 'rename-conversation', { conversation_id: id, name: 'Mine' })).toBe(
        'forbidden',
      );
      expect(await all.errorCode(bob, 'remove-member', { conversation_id: id, username: 'carol' })).toBe('not-found');
    });

    it('until they are added', async () => {
      const id = await withoutCarol();
      await alice.user.say(id, 'meanwhile');
      await all.received();
      await bob.act('add-member', { conversation_id: id, username: 'carol' });
      const delivered = (await all.received())['carol'];
      expect(delivered?.map(({ type }) => type)).toEqual(['conversation-created', 'member-added']);
      expect(delivered?.[0]).toMatchObject({ payload: { id, members: ['alice', 'carol'], moderators: ['bob'] } });
      expect(await members(id)).toEqual(['alice', 'bob', 'carol']);
      expect(await unread(carol)).toEqual([]);
      await carol.user.socket.request('chat-message', { conversation_id: id, message: 'back' }, 'chat-message');
      await alice.user.say(id, 'live');
      expect((await all.received())['carol']?.map(({ type }) => type)).toEqual(['chat-message', 'chat-message']);
    });

    it('without an event for accounts that have nothing to do with the channel', async () => {
      const id = await channel();
      await bob.act('remove-member', { conversation_id: id, username: 'dave' });
      expect(Object.keys(await all.received())).toEqual(['alice', 'bob', 'carol']);
      expect(await all.errorCode(dave, 'chat-message', { conversation_id: id, message: 'let me in' })).toBe(
        'forbidden',
      );
      await all.received();
      expect(await contents(dave, id)).toEqual(['hello']);
      expect(await dave.user.conversation(id)).toMatchObject({ id });
      await alice.user.say(id, 'among us');
      expect(Object.keys(await all.received())).toEqual(['alice', 'bob', 'carol']);
    });

    it('even if they were only followers', async () => {
      const id = await channel();
      await dave.user.conversation(id);
      await bob.act('remove-member', { conversation_id: id, username: 'dave' });
      expect((await all.received())['dave']).toEqual([{ type: 'conversation-removed', payload: { id } }]);
      await dave.user.conversation(id);
      await alice.user.say(id, 'among us');
      expect(Object.keys(await all.received())).toEqual(['alice', 'bob', 'carol']);
      expect(await all.errorCode(dave, 'chat-message', { conversation_id: id, message: 'let me in' })).toBe(
        'forbidden',
      );
    });
  });

  describe('are changed as groups are', () => {
    it('by creator and moderators, and by no other account', async () => {
      const id = await channel();
      for (const who of [carol, dave]) {
        expect(await all.errorCode(who, 'add-member', { conversation_id: id, username: 'erin' })).toBe('forbidden');
        expect(await all.errorCode(who, 'remove-member', { conversation_id: id, username: 'bob' })).toBe('forbidden');
        expect(await all.errorCode(who, 'rename-conversation', { conversation_id: id, name: 'Mine' })).toBe(
          'forbidden',
        );
      }
      expect(await all.errorCode(bob, 'rename-conversation', { conversation_id: id, name: 'Mine' })).toBe('forbidden');
      expect(await all.errorCode(bob, 'remove-member', { conversation_id: id, username: 'alice' })).toBe('forbidden');
      expect(await all.errorCode(bob, 'add-member', { conversation_id: id, username: 'carol' })).toBe('conflict');
      expect(await all.errorCode(bob, 'add-member', { conversation_id: id, username: 'nobody-here' })).toBe(
        'account-not-found',
      );
    });

    it('and a blocked account cannot add the blocker', async () => {
      const id = await channel();
      await dave.act('block-user', { username: 'bob' });
      await all.received();
      expect(await all.errorCode(bob, 'add-member', { conversation_id: id, username: 'dave' })).toBe('blocked');
      await dave.user.socket.request('chat-message', { conversation_id: id, message: 'on my own' }, 'chat-message');
    });
  });

  describe('are moderated by an admin', () => {
    const watched = async () => {
      const id = await channel();
      await judy.user.conversation(id);
      return id;
    };

    it('without appointment: an admin who is a member is not listed as moderator until appointed', async () => {
      const id = await watched();
      const judys = { conversation_id: id, username: 'judy' };
      expect(await all.errorCode(alice, 'add-moderator', judys)).toBe('not-found');
      await judy.user.say(id, 'hello');
      await all.received();
      expect(await all.errorCode(alice, 'remove-moderator', judys)).toBe('conflict');
      await alice.act('add-moderator', judys);
      await all.received();
      expect((await alice.user.conversation(id)).moderators).toContain('judy');
      expect(await all.errorCode(alice, 'add-moderator', judys)).toBe('conflict');
    });

    it('who deletes, adds and removes, without being a member', async () => {
      const id = await watched();
      for (const writer of [alice, bob, carol]) {
        const { id: message } = await writer.user.say(id, 'delete me');
        await judy.user.socket.request('delete-message', { id: message }, 'message-deleted');
      }
      expect(await contents(dave, id)).toEqual(['hello']);
      await all.received();
      const dave_ = { conversation_id: id, username: 'dave' };
      await judy.act('add-member', dave_);
      const added = { type: 'member-added', payload: dave_ };
      const delivered = await all.received();
      expect(delivered).toMatchObject({ alice: [added], bob: [added], carol: [added], judy: [added] });
      expect(delivered['dave']).toMatchObject([{ type: 'conversation-created' }, added]);
      await judy.act('remove-member', dave_);
      await judy.act('remove-member', { ...dave_, username: 'carol' });
      expect(await members(id)).toEqual(['alice', 'bob']);
      await all.received();
      expect(await all.errorCode(carol, 'chat-message', { conversation_id: id, message: 'let me in' })).toBe(
        'forbidden',
      );
      await judy.user.socket.request('add-member', { ...dave_, username: 'carol' }, 'member-added');
      await carol.user.socket.request('chat-message', { conversation_id: id, message: 'thank you' }, 'chat-message');
    });

    it('who is notified when the creator removes them, also without having followed the channel', async () => {
      const id = await channel();
      await alice.act('remove-member', { conversation_id: id, username: 'judy' });
      const received = await all.received();
      expect(received['judy']).toEqual([{ type: 'conversation-removed', payload: { id } }]);
      expect(received['bob']?.map(({ type }) => type)).toEqual(['member-removed']);
    });

    it('who may add themselves, and receive the channel first', async () => {
      const id = await channel();
      const judys = { conversation_id: id, username: 'judy' };
      expect(await judy.user.socket.request('add-member', judys, 'member-added')).toEqual(judys);
      expect((await all.received())['judy']?.map(({ type }) => type)).toEqual(['conversation-created', 'member-added']);
    });

    it('who does not act on creator and moderators, nor appoint, nor rename', async () => {
      const id = await watched();
      for (const username of ['alice', 'bob']) {
        expect(await all.errorCode(judy, 'remove-member', { conversation_id: id, username })).toBe('forbidden');
      }
      expect(await all.errorCode(judy, 'add-moderator', { conversation_id: id, username: 'carol' })).toBe('forbidden');
      expect(await all.errorCode(judy, 'remove-moderator', { conversation_id: id, username: 'bob' })).toBe('forbidden');
      expect(await all.errorCode(judy, 'rename-conversation', { conversation_id: id, name: 'Mine' })).toBe('forbidden');
    });

    it('who has no privileges in groups and dms', async () => {
      const { id } = await alice.user.open(['bob', 'judy']);
      const { id: message } = await alice.user.say(id, 'delete me');
      const others = await alice.user.open(['bob', 'carol']);
      const { id: ofOthers } = await alice.user.say(others.id, 'delete me');
      const { id: dm } = await alice.user.open('bob');
      const { id: ofDm } = await alice.user.say(dm, 'delete me');
      await all.received();
      expect(await all.errorCode(judy, 'delete-message', { id: message })).toBe('forbidden');
      expect(await all.errorCode(judy, 'add-member', { conversation_id: id, username: 'dave' })).toBe('forbidden');
      expect(await all.errorCode(judy, 'remove-member', { conversation_id: id, username: 'bob' })).toBe('forbidden');
      expect(await all.errorCode(judy, 'delete-message', { id: ofOthers })).toBe('not-found');
      expect(await all.errorCode(judy, 'delete-message', { id: ofDm })).toBe('not-found');
      expect(await all.errorCode(judy, 'add-member', { conversation_id: others.id, username: 'judy' })).toBe(
        'not-found',
      );
      expect(await judy.user.getError(`/messages/chats?conversation_id=${others.id}`)).toMatchObject({
        statusCode: 404,
      });
    });
  });

  /** The connection that sent a frame gets the reply, even if its account does not follow the channel. */
  describe('reply to accounts that do not follow them', () => {
    it.each([
      ['add-member', 'member-added', 'dave'],
      ['remove-member', 'member-removed', 'carol'],
    ] as const)('an admin: %s', async (type, replyType, username) => {
      const frame = { conversation_id: await channel(), username };
      expect(await judy.user.socket.request(type, frame, replyType)).toEqual(frame);
    });

    it('an admin: delete-message', async () => {
      const { id } = await carol.user.say(await channel(), 'delete me');
      expect(await judy.user.socket.request('delete-message', { id }, 'message-deleted')).toEqual({ id });
    });

    it('the sender of a message who has left: delete-message', async () => {
      const conversation_id = await channel();
      const { id } = await carol.user.say(conversation_id, 'delete me');
      await carol.act('leave-conversation', { conversation_id });
      expect(await carol.user.socket.request('delete-message', { id }, 'message-deleted')).toEqual({ id });
    });

    it('the sender of a message who was removed: delete-message', async () => {
      const conversation_id = await channel();
      const { id } = await carol.user.say(conversation_id, 'delete me');
      await alice.act('remove-member', { conversation_id, username: 'carol' });
      expect(await carol.user.socket.request('delete-message', { id }, 'message-deleted')).toEqual({ id });
    });

    it('the creator who left as the last member: rename-conversation', async () => {
      const { id } = await alice.user.createChannel('Bees');
      await alice.act('leave-conversation', { conversation_id: id });
      const frame = { conversation_id: id, name: 'Wasps' };
      expect(await alice.user.socket.request('rename-conversation', frame, 'conversation-renamed')).toEqual(frame);
    });
  });
});
