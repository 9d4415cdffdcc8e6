import { type ClientFrameType } from '@waggle/contracts';
import { Client } from 'pg';
import { ChatUnderTest, type ChatInstance } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { contents, listed, unread, ObservedUser } from '../support/observed-user';
import { ObservedUsers } from '../support/observed-users';

const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** A valid payload for every frame that changes a group or its contents. */
const rightPayloads = {
  'rename-conversation': { conversation_id: nowhere, name: 'Bees' },
  'leave-conversation': { conversation_id: nowhere },
  'delete-message': { id: nowhere },
  'add-member': { conversation_id: nowhere, username: 'dave' },
  'remove-member': { conversation_id: nowhere, username: 'dave' },
  'add-moderator': { conversation_id: nowhere, username: 'dave' },
  'remove-moderator': { conversation_id: nowhere, username: 'dave' },
} satisfies Partial<Record<ClientFrameType, object>>;

/** The same payloads with one field missing, of a wrong type, or with an invalid value. */
const wrongPayloads = Object.entries(rightPayloads).flatMap(([type, payload]) =>
  Object.keys(payload).flatMap((field) =>
    [undefined, null, 5, true, ['a'], { a: 1 }, '', 'two words', "a'b", 'a\0b']
      .filter((value) => field !== 'name' || typeof value !== 'string' || value === '' || value.includes('\0'))
      .map((value): [string, string, string, object] => [
        type,
        field,
        // A text that cannot be a name is an account that is not there.
        field === 'username' && typeof value === 'string' ? 'account-not-found' : 'invalid-frame',
        { ...payload, [field]: value },
      ]),
  ),
);

describe('a group', () => {
  let chat: ChatUnderTest;
  let all: ObservedUsers;
  /** Creator, moderator, member, and two accounts outside the group. */
  let alice: ObservedUser;
  let bob: ObservedUser;
  let carol: ObservedUser;
  let dave: ObservedUser;
  let erin: ObservedUser;
  /** Another instance with at most three members in a group. */
  let small: ChatInstance;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    small = await chat.addInstance({ limits: { groupMembers: 3 } });
    const observers = await ObservedUsers.join(chat, 'alice', 'bob', 'carol', 'dave', 'erin');
    all = observers;
    ({ alice, bob, carol, dave, erin } = observers.named);
  });
  afterEach(() => all.reset());
  afterAll(() => all.stop());

  it('keeps its database connections when frames are rejected', async () => {
    const { id } = await alice.user.open(['bob'], 'hello');
    const database = new Client({ connectionString: chat.database.url });
    await database.connect();
    const backends = async () =>
      (
        await database.query<{ pid: number }>(
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'waggle-chat' ORDER BY pid",
        )
      ).rows;
    // None is idle long enough for the pool to close it.
    await Promise.all(Array.from({ length: 50 }, () => alice.user.history(id)));
    const before = await backends();
    for (let i = 0; i < 20; i += 1) {
      const rejected = await alice.user.socket.requestError('add-member', { conversation_id: id, username: 'bob' });
      expect(rejected.code).toBe('conflict');
    }
    // The pool may grow meanwhile, but keeps its connections.
    expect(await backends()).toEqual(expect.arrayContaining(before));
    await database.end();
  });

  /** A group of alice, bob and carol; bob is a moderator. */
  const group = async () => {
    const { id } = await alice.user.open(['bob', 'carol']);
    await alice.act('add-moderator', { conversation_id: id, username: 'bob' });
    await all.received();
    return id;
  };
  const dm = async () => {
    const { id } = await alice.user.open('bob');
    await all.received();
    return id;
  };

  row(
    ['resource conversation', 'GET /messages/conversations'],
    'is the same for every member, and shows roles in the order of their giving',
    async () => {
      const id = await group();
      const [first, ...others] = await Promise.all([alice, bob, carol].map((each) => listed(each, id)));
      expect(first).toEqual({
        id,
        type: 'group',
        creator: 'alice',
        members: ['bob', 'carol', 'alice'],
        moderators: ['bob'],
        blocked: false,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      for (const other of others) expect(other).toEqual(first);
      expect(await listed(dave, id)).toBeUndefined();
    },
  );

  describe('is renamed', () => {
    row(['frame rename-conversation', 'resource conversation'], 'by its creator, and then has a name', async () => {
      const id = await group();
      const renamed = { conversation_id: id, name: 'Bees' };
      expect(await alice.user.socket.request('rename-conversation', renamed, 'conversation-renamed')).toEqual(renamed);
      for (const each of [alice, bob, carol]) expect(await listed(each, id)).toMatchObject({ name: 'Bees' });
    });

    row('event conversation-renamed', 'is sent to all members on all their sockets, and to no one else', async () => {
      const id = await group();
      await alice.act('rename-conversation', { conversation_id: id, name: ' Bees & 🐝 ' });
      const renamed = { type: 'conversation-renamed', payload: { conversation_id: id, name: 'Bees & 🐝' } };
      expect(await all.received()).toEqual({ alice: [renamed], bob: [renamed], carol: [renamed] });
      await alice.act('rename-conversation', { conversation_id: id, name: 'Wasps' });
      expect(await listed(carol, id)).toMatchObject({ name: 'Wasps' });
    });

    row('frame rename-conversation', 'by its creator only', async () => {
      const frame = { conversation_id: await group(), name: 'Mine' };
      expect(await all.errorCode(bob, 'rename-conversation', frame)).toBe('forbidden');
      expect(await all.errorCode(carol, 'rename-conversation', frame)).toBe('forbidden');
      expect(await all.errorCode(dave, 'rename-conversation', frame)).toBe('not-found');
    });

    row('frame rename-conversation', 'unlike a dm, or what is not there', async () => {
      expect(await all.errorCode(alice, 'rename-conversation', { conversation_id: await dm(), name: 'Us' })).toBe(
        'forbidden',
      );
      expect(await all.errorCode(alice, 'rename-conversation', { conversation_id: nowhere, name: 'Us' })).toBe(
        'not-found',
      );
    });

    row('limit name', 'of a group', async () => {
      const conversation_id = await group();
      for (const name of ['x', 'x'.repeat(64), '🐝'.repeat(64), '👩‍🌾 farm']) {
        await alice.act('rename-conversation', { conversation_id, name });
        expect(await listed(bob, conversation_id)).toMatchObject({ name });
      }
      await all.received();
      for (const name of ['x'.repeat(65), '🐝'.repeat(65)]) {
        expect(await all.errorCode(alice, 'rename-conversation', { conversation_id, name })).toBe('too-large');
      }
      for (const name of [' ', '\n\t', '\u3164', 'a\u034Fb', 'a\u200Db']) {
        expect(await all.errorCode(alice, 'rename-conversation', { conversation_id, name })).toBe('invalid-frame');
      }
    });
  });

  describe('is joined', () => {
    row('frame add-member', 'by whom a moderator brings', async () => {
      const added = { conversation_id: await group(), username: 'dave' };
      expect(await bob.user.socket.request('add-member', added, 'member-added')).toEqual(added);
      for (const each of [alice, bob, carol, dave]) {
        const members = ['bob', 'carol', 'alice', 'dave'];
        expect(await listed(each, added.conversation_id)).toMatchObject({ members, moderators: ['bob'] });
      }
    });

    row(
      ['event member-added', 'frame add-member'],
      'is sent to all members; the added account receives the conversation first',
      async () => {
        const id = await group();
        await alice.act('add-member', { conversation_id: id, username: 'dave' });
        const added = { type: 'member-added', payload: { conversation_id: id, username: 'dave' } };
        const created = { type: 'conversation-created', payload: await dave.user.conversation(id) };
        const delivered = await all.received();
        // Adding a member updates the conversation, so it is created with the new time.
        expect(delivered).toEqual({
          alice: [added],
          bob: [added],
          carol: [added],
          dave: [{ ...created, payload: { ...created.payload, updated_at: expect.any(String) } }, added],
        });
        const said = { type: 'chat-message', payload: await dave.user.say(id, 'here I am') };
        const unread = { ...said, payload: { ...said.payload, read: false } };
        expect(await all.received()).toEqual({ alice: [unread], bob: [unread], carol: [unread], dave: [said] });
      },
    );

    row('frame add-member', 'is rejected for accounts other than creator and moderators', async () => {
      const conversation_id = await group();
      expect(await all.errorCode(carol, 'add-member', { conversation_id, username: 'dave' })).toBe('forbidden');
      expect(await all.errorCode(dave, 'add-member', { conversation_id, username: 'dave' })).toBe('not-found');
      expect(await all.errorCode(dave, 'add-member', { conversation_id, username: 'erin' })).toBe('not-found');
      expect(await all.errorCode(alice, 'add-member', { conversation_id: nowhere, username: 'dave' })).toBe(
        'not-found',
      );
    });

    it('once, and only by accounts of the chain', async () => {
      const conversation_id = await group();
      for (const username of ['alice', 'bob', 'carol']) {
        expect(await all.errorCode(alice, 'add-member', { conversation_id, username })).toBe('conflict');
      }
      expect(await all.errorCode(alice, 'add-member', { conversation_id, username: 'nobody-here' })).toBe(
        'account-not-found',
      );
    });

    row('frame add-member', 'unlike a dm', async () => {
      expect(await all.errorCode(alice, 'add-member', { conversation_id: await dm(), username: 'carol' })).toBe(
        'forbidden',
      );
    });

    it('with earlier messages visible and marked as read', async () => {
      const id = await group();
      await carol.user.say(id, 'before');
      await alice.act('add-member', { conversation_id: id, username: 'dave' });
      expect((await dave.user.history(id)).map(({ content, read }) => [content, read])).toEqual([
        ['hello', true],
        ['before', true],
      ]);
      expect(await dave.user.unread()).toEqual([]);
      await carol.user.say(id, 'after');
      expect((await dave.user.unread()).map(({ content }) => content)).toEqual(['after']);
      expect((await dave.user.history(id)).map(({ read }) => read)).toEqual([true, true, false]);
    });

    it('again by a removed member, listed last, without a role or unread messages', async () => {
      const id = await group();
      await alice.act('remove-member', { conversation_id: id, username: 'bob' });
      await carol.user.say(id, 'without bob');
      await alice.act('add-member', { conversation_id: id, username: 'bob' });
      expect(await listed(bob, id)).toMatchObject({ members: ['carol', 'alice', 'bob'], moderators: [] });
      expect((await bob.user.unread()).filter(({ conversation_id }) => conversation_id === id)).toEqual([]);
      await all.received();
      expect(await all.errorCode(bob, 'remove-member', { conversation_id: id, username: 'carol' })).toBe('forbidden');
    });

    it('is rejected if the added account blocks the creator or moderator', async () => {
      const conversation_id = await group();
      await dave.act('block-user', { username: 'bob' });
      await erin.act('block-user', { username: 'alice' });
      await all.received();
      expect(await all.errorCode(bob, 'add-member', { conversation_id, username: 'dave' })).toBe('blocked');
      expect(await all.errorCode(alice, 'add-member', { conversation_id, username: 'erin' })).toBe('blocked');
      const begun = { to: ['carol', 'dave'], message: 'come in' };
      expect(await all.errorCode(bob, 'create-conversation', begun)).toBe('blocked');
      await alice.act('add-member', { conversation_id, username: 'dave' });
      await bob.act('add-member', { conversation_id, username: 'erin' });
      expect((await listed(carol, conversation_id))?.members).toEqual(['bob', 'carol', 'alice', 'dave', 'erin']);
    });

    row('limit group members', 'as configured, the creator included, in groups and not in channels', async () => {
      // Separate accounts, since the others would receive entries of another instance late.
      const creator = await ObservedUser.join(small, 'frank');
      const to = ['grace', 'heidi', 'ivan'];
      expect(await creator.errorCode('create-conversation', { to, message: 'four' })).toBe('too-large');
      const { id } = await creator.user.open(['grace', 'grace', 'heidi', 'frank'], 'three');
      await creator.received();
      const fourth = { conversation_id: id, username: 'ivan' };
      expect(await creator.errorCode('add-member', fourth)).toBe('too-large');
      await creator.act('remove-member', { conversation_id: id, username: 'heidi' });
      await creator.act('add-member', fourth);
      expect(await listed(creator, id)).toMatchObject({ members: ['grace', 'frank', 'ivan'] });
      const channel = await creator.user.createChannel('Everybody');
      for (const username of ['grace', 'heidi', 'ivan', 'judy']) {
        await creator.user.socket.request('add-member', { conversation_id: channel.id, username }, 'member-added');
      }
    });
  });

  describe('loses a member', () => {
    row('frame remove-member', 'whom a moderator removes', async () => {
      const removed = { conversation_id: await group(), username: 'carol' };
      expect(await bob.user.socket.request('remove-member', removed, 'member-removed')).toEqual(removed);
      expect(await listed(carol, removed.conversation_id)).toBeUndefined();
      expect(await listed(bob, removed.conversation_id)).toMatchObject({ members: ['bob', 'alice'] });
    });

    row(
      'event member-removed',
      'is sent to the remaining members; the removed one receives conversation-removed',
      async () => {
        const id = await group();
        await bob.act('remove-member', { conversation_id: id, username: 'carol' });
        const removed = { type: 'member-removed', payload: { conversation_id: id, username: 'carol' } };
        expect(await all.received()).toEqual({
          alice: [removed],
          bob: [removed],
          carol: [{ type: 'conversation-removed', payload: { id } }],
        });
      },
    );

    it('who then has no access to it', async () => {
      const id = await group();
      const { id: message } = await carol.user.say(id, 'while I am here');
      await bob.act('remove-member', { conversation_id: id, username: 'carol' });
      await all.received();
      for (const path of [`conversation?id=${id}`, `chats?conversation_id=${id}`]) {
        expect(await carol.user.getError(`/messages/${path}`)).toMatchObject({ statusCode: 404, code: 'not-found' });
      }
      expect(await carol.user.unread()).toEqual([]);
      const tried: [ClientFrameType, object][] = [
        ['chat-message', { conversation_id: id, message: 'let me in' }],
        ['acknowledgment', { conversation_id: id }],
        ['leave-conversation', { conversation_id: id }],
        ['delete-message', { id: message }],
        ['add-member', { conversation_id: id, username: 'carol' }],
      ];
      for (const [type, payload] of tried) expect(await all.errorCode(carol, type, payload)).toBe('not-found');
      await alice.user.say(id, 'among us');
      expect(Object.keys(await all.received())).toEqual(['alice', 'bob']);
      expect(await contents(bob, id)).toEqual(['hello', 'while I am here', 'among us']);
    });

    row('frame remove-member', 'requires a higher role, and the creator for a moderator', async () => {
      const conversation_id = await group();
      await alice.act('add-member', { conversation_id, username: 'dave' });
      await alice.act('add-moderator', { conversation_id, username: 'dave' });
      await all.received();
      const forbidden: [ObservedUser, string[]][] = [
        [carol, ['alice', 'bob', 'carol', 'dave']],
        [bob, ['alice', 'bob', 'dave']],
        [alice, ['alice']],
      ];
      for (const [who, whom] of forbidden) {
        for (const username of whom) {
          expect(await all.errorCode(who, 'remove-member', { conversation_id, username })).toBe('forbidden');
        }
      }
      expect(await all.errorCode(erin, 'remove-member', { conversation_id, username: 'carol' })).toBe('not-found');
      await alice.act('remove-member', { conversation_id, username: 'dave' });
      expect(await listed(alice, conversation_id)).toMatchObject({ moderators: ['bob'] });
    });

    it('only if the account is a member', async () => {
      const conversation_id = await group();
      for (const username of ['dave', 'nobody-here']) {
        expect(await all.errorCode(alice, 'remove-member', { conversation_id, username })).toBe('not-found');
      }
      await alice.act('remove-member', { conversation_id, username: 'carol' });
      await all.received();
      expect(await all.errorCode(bob, 'remove-member', { conversation_id, username: 'carol' })).toBe('not-found');
      expect(await all.errorCode(bob, 'remove-member', { conversation_id: nowhere, username: 'carol' })).toBe(
        'not-found',
      );
    });

    row('frame remove-member', 'unlike a dm', async () => {
      const conversation_id = await dm();
      for (const username of ['alice', 'bob']) {
        expect(await all.errorCode(alice, 'remove-member', { conversation_id, username })).toBe('forbidden');
      }
    });
  });

  describe('is read', () => {
    it('by each member separately; own messages count as read', async () => {
      const id = await group();
      await bob.user.say(id, 'from bob');
      await all.received();
      const seen = async (who: ObservedUser) => (await who.user.history(id)).map(({ read }) => read);
      expect([await seen(alice), await seen(bob), await seen(carol)]).toEqual([
        [true, false],
        [false, true],
        [false, false],
      ]);
      await carol.act('acknowledgment', { conversation_id: id });
      expect(await all.received()).toEqual({ carol: [{ type: 'acknowledged', payload: { conversation_id: id } }] });
      expect([await seen(alice), await seen(bob), await seen(carol)]).toEqual([
        [true, false],
        [false, true],
        [true, true],
      ]);
      await alice.user.say(id, 'from alice');
      expect(await seen(carol)).toEqual([true, true, false]);
      expect([await unread(alice), await unread(bob), await unread(carol)]).toEqual([
        ['from bob'],
        ['hello', 'from alice'],
        ['from alice'],
      ]);
    });

    it('not by acknowledging an unknown conversation or one of others', async () => {
      const conversation_id = await group();
      expect(await all.errorCode(dave, 'acknowledgment', { conversation_id })).toBe('not-found');
      expect(await all.errorCode(dave, 'acknowledgment', { conversation_id: nowhere })).toBe('not-found');
    });
  });

  row(
    ['frame chat-message', 'event chat-message', 'resource message'],
    'accepts a message with any `to`, and stores and delivers it as null',
    async () => {
      for (const to of [null, 'bob', 'nobody-here', ['bob', 'carol'], { name: 'bob' }, 5, true, '', 'No Name']) {
        const id = await group();
        await carol.act('chat-message', { conversation_id: id, to, message: 'to all' });
        const delivered = await all.received();
        expect([to, Object.keys(delivered)]).toEqual([to, ['alice', 'bob', 'carol']]);
        for (const frames of Object.values(delivered)) {
          expect(frames).toMatchObject([{ type: 'chat-message', payload: { content: 'to all', to: null } }]);
        }
        expect(await dave.user.unread()).toEqual([]);
        const unread = (await alice.user.unread()).filter(({ conversation_id }) => conversation_id === id);
        expect(unread).toMatchObject([{ content: 'to all', to: null }]);
        expect((await bob.user.history(id)).map((each) => each.to)).toEqual([null, null]);
      }
    },
  );

  it('rejects malformed frames, and names the field', async () => {
    const isType = (type: string): type is keyof typeof rightPayloads => type in rightPayloads;
    const checks = wrongPayloads.map(async ([type, field, code, payload]) => {
      if (!isType(type)) throw new Error(type);
      return { type, field, code, payload, error: await alice.user.socket.requestError(type, payload) };
    });
    for (const { type, field, code, payload, error } of await Promise.all(checks)) {
      const message = expect.stringContaining(`${field}: `) as unknown;
      const expected = { code, request_type: type, message };
      expect({ payload, error }).toMatchObject({ payload, error: expected });
    }
  });

  it.each(Object.entries(rightPayloads))('rejects unauthenticated frames: %s', async (type, payload) => {
    const socket = await chat.instance.openSocket();
    socket.send(type, payload);
    expect((await socket.next('error')).payload).toMatchObject({ code: 'unauthenticated', request_type: type });
  });
});
