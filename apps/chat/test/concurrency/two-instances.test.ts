import { friendRequest, friendsList, type ClientFrameType, type Conversation } from '@waggle/contracts';
import { until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { z } from 'zod';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest, type ChatInstance } from '../support/chat-under-test';
import { HeldLock, type Lock } from '../support/held-lock';
import { DatabaseState } from '../support/database-state';

/** How often concurrent requests are sent if only chance makes them meet; 20 times with LONG=true. */
const rounds = Number(process.env['RUNS'] ?? (isLong ? 20 : 3));

/** Writes to this conversation and changes of it wait for this lock. */
const writing = (id: string): Lock => ({
  text: 'SELECT FROM conversation WHERE id = $1 FOR NO KEY UPDATE',
  values: [id],
});
/** Authorized writers wait before they write to the table; others can read it. */
const writesTo = (table: 'conversation' | 'friend_request' | 'message'): Lock => ({
  text: `LOCK TABLE ${table} IN SHARE MODE`,
});

/**
 * Only the locks of the database and the sequence number of a conversation's last change enforce one of the two
 * orders (ADR 7). The tests compare what is stored with the replies.
 */
describe('at two instances of one deployment', () => {
  let chat: ChatUnderTest;
  let database: DatabaseState;
  let client: Client;
  let heldLock: HeldLock;
  let here: ChatInstance;
  let there: ChatInstance;
  let alice: ChatUser;
  let bobHere: ChatUser;
  let aliceThere: ChatUser;
  let bob: ChatUser;
  let carol: ChatUser;
  let dave: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis();
    database = await DatabaseState.connect(chat.database);
    client = new Client({ connectionString: chat.database.url });
    await client.connect();
    heldLock = await HeldLock.connect(chat.database);
    here = chat.instance;
    there = await chat.addInstance();
    [alice, bobHere] = await Promise.all([here.join('alice'), here.join('bob')]);
    [aliceThere, bob] = await Promise.all([there.join('alice'), there.join('bob')]);
    [carol, dave] = await Promise.all([there.join('carol'), there.join('dave')]);
  });
  afterEach(() => database.clear());
  afterAll(async () => {
    await heldLock.disconnect();
    await client.end();
    await database.close();
    await chat.stop();
  });

  let sent = 0;
  /** Sends a frame when called. @returns the type of its first reply, or the code of its error */
  const act = (user: ChatUser, type: ClientFrameType, payload: object) => async () => {
    sent += 1;
    const ref = `act-${sent}`;
    user.socket.send(type, payload, { ref });
    const reply = await user.socket.nextMatching((frame) => frame.ref === ref);
    return reply.type === 'error' ? reply.payload.code : reply.type;
  };
  const write = (user: ChatUser, conversation_id: string, message: string) =>
    act(user, 'chat-message', { conversation_id, message });
  const openDm = (user: ChatUser, to: string) => act(user, 'create-conversation', { to, message: `to ${to}` });
  const block = (user: ChatUser, username: string) => act(user, 'block-user', { username });
  const ofMember = (user: ChatUser, type: ClientFrameType, conversation_id: string, username: string) =>
    act(user, type, { conversation_id, username });
  const leave = (user: ChatUser, conversation_id: string) => act(user, 'leave-conversation', { conversation_id });

  const group = async (...members: string[]) => (await alice.open(members)).id;
  const contents = async (user: ChatUser, id: string) => (await user.wholeHistory(id)).map(({ content }) => content);
  const dmsOf = async (user: ChatUser) => (await user.conversations()).filter(({ type }) => type === 'dm');
  const relationsOf = async (user: ChatUser) => ({
    ...(await user.getJson('/users/friends', friendsList)),
    requests: (await user.getJson('/users/friend-requests', z.array(friendRequest))).map(({ username }) => username),
  });

  describe('a message', () => {
    it.each<[string, string, () => Promise<{ id: string; change: () => Promise<string> }>]>([
      [
        'a group from which its sender is removed',
        'not-found',
        async () => {
          const id = await group('bob', 'carol');
          return { id, change: ofMember(alice, 'remove-member', id, 'bob') };
        },
      ],
      [
        'a group that its sender leaves',
        'not-found',
        async () => {
          const id = await group('bob', 'carol');
          return { id, change: leave(bobHere, id) };
        },
      ],
      [
        'a channel from which its sender is removed',
        'forbidden',
        async () => {
          const { id } = await alice.createChannel('Bees');
          await alice.say(id, 'hello');
          await alice.socket.request('add-member', { conversation_id: id, username: 'bob' }, 'member-added');
          return { id, change: ofMember(alice, 'remove-member', id, 'bob') };
        },
      ],
      [
        'a channel from which is removed who is no member yet',
        'forbidden',
        async () => {
          const { id } = await alice.createChannel('Bees');
          await alice.say(id, 'hello');
          await bob.socket.request('acknowledgment', { conversation_id: id }, 'acknowledged');
          return { id, change: ofMember(alice, 'remove-member', id, 'bob') };
        },
      ],
      [
        'a dm whose other side blocks its sender',
        'blocked',
        async () => ({ id: await alice.open('bob').then(({ id }) => id), change: block(alice, 'bob') }),
      ],
      [
        'a dm whose other side is blocked by its sender elsewhere',
        'blocked',
        async () => ({ id: await alice.open('bob').then(({ id }) => id), change: block(bobHere, 'alice') }),
      ],
    ])('into %s is rejected as %s after it, and stored before it', async (_what, errorCode, begin) => {
      const before = await begin();
      const [, rejected] = await heldLock.runInOrder(
        writing(before.id),
        before.change,
        write(bob, before.id, 'too late'),
      );
      expect(rejected).toBe(errorCode);
      expect(await contents(alice, before.id)).toEqual(['hello']);

      await database.clear();
      const { id, change } = await begin();
      const [written, changed] = await heldLock.runInOrder(writing(id), write(bob, id, 'in time'), change);
      // Writing into a channel joins it, and the join is delivered first.
      expect(['chat-message', 'conversation-created']).toContain(written);
      expect(['member-removed', 'conversation-removed', 'user-blocked']).toContain(changed);
      expect(await contents(alice, id)).toEqual(['hello', 'in time']);
    });

    it('of an account that is being added is stored after it, and rejected before it', async () => {
      const id = await group('carol');
      const add = ofMember(alice, 'add-member', id, 'bob');
      expect(await heldLock.runInOrder(writing(id), write(bob, id, 'too early'), add)).toEqual([
        'not-found',
        'member-added',
      ]);
      await alice.socket.request('remove-member', { conversation_id: id, username: 'bob' }, 'member-removed');
      expect(await heldLock.runInOrder(writing(id), add)).toEqual(['member-added']);
      expect(await write(bob, id, 'here I am')()).toBe('chat-message');
      expect(await contents(alice, id)).toEqual(['hello', 'here I am']);
    });

    it('after an account is added is delivered to it and unread; before it neither', async () => {
      const one = await group('bob');
      const two = await group('bob');
      const add = (id: string) => ofMember(alice, 'add-member', id, 'dave');
      await heldLock.runInOrder(writing(one), write(bob, one, 'before'), add(one));
      await heldLock.runInOrder(writing(two), add(two), write(bob, two, 'after'));
      expect(await dave.nextText()).toBe('after');
      expect((await dave.unread()).map(({ content }) => content)).toEqual(['after']);
      expect(await contents(dave, one)).toEqual(['hello', 'before']);
      expect(await contents(dave, two)).toEqual(['hello', 'after']);
    });

    /** Bob writes while alice acknowledges. @returns the socket of alice, which has the reply */
    const acknowledgeAround = async (id: string, capabilities: string[]) => {
      const socket = await here.openSocket();
      socket.send('authenticate', { token: alice.session.token, capabilities });
      await socket.next('status');
      const ofAlice = `SELECT FROM member WHERE conversation_id = $1 AND account = 'alice' FOR UPDATE`;
      await heldLock.acquire({ text: ofAlice, values: [id] });
      socket.send('acknowledgment', { conversation_id: id });
      await heldLock.waitForWaiting(1);
      await bob.say(id, 'meanwhile');
      await socket.next('chat-message', ({ content }) => content === 'meanwhile');
      await heldLock.release();
      await socket.next('acknowledged');
      return socket;
    };

    it.each([[['sync']], [[]]])(
      'is read if it is delivered before `acknowledged`, although the acknowledgment was sent before it (%j)',
      async (capabilities) => {
        const id = await group('bob');
        await acknowledgeAround(id, capabilities);
        await until(async () => (await alice.unread()).length === 0);
      },
    );

    it('stays unread without an error if it is delivered before `acknowledged` and cannot be marked', async () => {
      const id = await group('bob');
      await client.query(`ALTER TABLE member ADD CONSTRAINT first_only CHECK (acknowledged_seq < 3) NOT VALID`);
      const socket = await acknowledgeAround(id, ['sync']);
      await until(() => here.logLines.some((line) => line.includes('stays unread')));
      await client.query('ALTER TABLE member DROP CONSTRAINT first_only');
      // The reply comes after everything that was sent before.
      await socket.requestError('acknowledgment', {});
      expect(socket.received('error')).toHaveLength(1);
      expect((await alice.unread()).map(({ content }) => content)).toEqual(['meanwhile']);
    });

    it('is authorized for its own conversation, although it is stored in one statement with others', async () => {
      const groups = [await group('bob'), await group('bob'), await group('bob'), await group('bob')] as const;
      for (const id of groups) await bob.socket.next('conversation-created', (each) => each.id === id);
      const [free, busy, busyToo, left] = groups;
      const second = await HeldLock.connect(chat.database);
      try {
        await heldLock.acquire({
          text: 'SELECT FROM conversation WHERE id IN ($1, $2) FOR NO KEY UPDATE',
          values: [busy, busyToo],
        });
        await second.acquire(writing(left));
        const removal = ofMember(alice, 'remove-member', left, 'bob')();
        await second.waitForWaiting(1);
        // Two statements run at once; messages that arrive meanwhile are batched.
        const firsts = [write(bob, busy, 'one')(), write(bob, busyToo, 'here too')()];
        const others = [
          write(bob, left, 'two')(),
          write(bob, free, 'three')(),
          write(bob, left, 'four')(),
          write(bob, busy, 'five')(),
        ];
        await heldLock.waitForWaiting(2);
        await heldLock.release();
        expect(await Promise.all(firsts)).toEqual(['chat-message', 'chat-message']);
        await second.waitForWaiting(2);
        await second.release();
        expect(await removal).toBe('member-removed');
        expect(await Promise.all(others)).toEqual(['not-found', 'chat-message', 'not-found', 'chat-message']);
      } finally {
        await heldLock.release();
        await second.disconnect();
      }
      expect(await contents(alice, busy)).toEqual(['hello', 'one', 'five']);
      expect(await contents(alice, left)).toEqual(['hello']);
      expect(await contents(alice, free)).toEqual(['hello', 'three']);
    });

    it('of a member that is removed while writing is stored before the removal or not at all', async () => {
      // Recorded in the transaction of the removal: the last sequence number at that moment.
      await client.query(`
        CREATE TABLE removal (conversation_id text PRIMARY KEY, last_seq bigint NOT NULL);
        CREATE FUNCTION note_removal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO removal SELECT id, last_seq FROM conversation WHERE id = OLD.conversation_id;
          RETURN NULL;
        END $$;
        CREATE TRIGGER note_removal AFTER UPDATE OF status ON member FOR EACH ROW WHEN (NEW.status = 'left')
          EXECUTE FUNCTION note_removal()`);
      try {
        for (let round = 0; round < rounds; round += 1) {
          const id = await group('bob', 'carol');
          const accepted: string[] = [];
          /** Writes until it is rejected. */
          const keepWriting = async (writer: number) => {
            for (let n = 0; ; n += 1) {
              const reply = await write(bob, id, `${writer}-${n}`)();
              if (reply !== 'chat-message') return reply;
              accepted.push(`${writer}-${n}`);
            }
          };
          const queues = [0, 1, 2, 3].map(keepWriting);
          // The delay increases with each round.
          for (let n = 0; n < round; n += 1) {
            await carol.socket.next('chat-message', (each) => each.conversation_id === id && each.from === 'bob');
          }
          expect(await ofMember(alice, 'remove-member', id, 'bob')()).toBe('member-removed');
          expect(new Set(await Promise.all(queues))).toEqual(new Set(['not-found']));
          expect((await contents(alice, id)).sort()).toEqual(['hello', ...accepted].sort());
          const { rows } = await client.query<{ last_seq: string }>(
            'SELECT last_seq FROM removal WHERE conversation_id = $1',
            [id],
          );
          // The creation and the first message have sequence numbers too.
          expect(rows).toEqual([{ last_seq: String(2 + accepted.length) }]);
        }
      } finally {
        await client.query('DROP FUNCTION note_removal CASCADE; DROP TABLE removal');
      }
    });
  });

  describe('two changes of one conversation', () => {
    it.each(['here', 'there'])('remove one member, first %s: the other gets not-found', async (first) => {
      const id = await group('bob', 'carol', 'dave');
      await alice.socket.request('add-moderator', { conversation_id: id, username: 'bob' }, 'moderator-added');
      const removals = [alice, bob].map((user) => ofMember(user, 'remove-member', id, 'carol'));
      if (first === 'there') removals.reverse();
      expect(await heldLock.runInOrder(writing(id), ...removals)).toEqual(['member-removed', 'not-found']);
      expect((await alice.conversation(id)).members).toEqual(['bob', 'dave', 'alice']);
    });

    it('add one account: the other is in conflict', async () => {
      const id = await group('bob');
      const additions = [alice, aliceThere].map((user) => ofMember(user, 'add-member', id, 'carol'));
      expect(await heldLock.runInOrder(writing(id), ...additions)).toEqual(['member-added', 'conflict']);
      expect((await alice.conversation(id)).members).toEqual(['bob', 'alice', 'carol']);
    });

    it.each<[string, (id: string) => (() => Promise<string>)[], string[], Partial<Conversation>]>([
      [
        'leaves, then appoints',
        (id) => [leave(alice, id), ofMember(aliceThere, 'add-moderator', id, 'dave')],
        ['conversation-removed', 'not-found'],
        { creator: 'bob', members: ['bob', 'carol', 'dave'], moderators: [] },
      ],
      [
        'appoints, then leaves',
        (id) => [ofMember(aliceThere, 'add-moderator', id, 'dave'), leave(alice, id)],
        ['moderator-added', 'conversation-removed'],
        { creator: 'dave', members: ['bob', 'carol', 'dave'], moderators: ['dave'] },
      ],
      [
        'leaves, then removes the successor',
        (id) => [leave(alice, id), ofMember(aliceThere, 'remove-member', id, 'bob')],
        ['conversation-removed', 'not-found'],
        { creator: 'bob', members: ['bob', 'carol', 'dave'] },
      ],
      [
        'removes the successor, then leaves',
        (id) => [ofMember(aliceThere, 'remove-member', id, 'bob'), leave(alice, id)],
        ['member-removed', 'conversation-removed'],
        { creator: 'carol', members: ['carol', 'dave'] },
      ],
      [
        'leaves, then the successor does',
        (id) => [leave(alice, id), leave(bob, id)],
        ['conversation-removed', 'conversation-removed'],
        { creator: 'carol', members: ['carol', 'dave'] },
      ],
      [
        'leaves after the successor',
        (id) => [leave(bob, id), leave(alice, id)],
        ['conversation-removed', 'conversation-removed'],
        { creator: 'carol', members: ['carol', 'dave'] },
      ],
      [
        'leaves, then the successor appoints',
        (id) => [leave(alice, id), ofMember(bob, 'add-moderator', id, 'dave')],
        ['conversation-removed', 'moderator-added'],
        { creator: 'bob', members: ['bob', 'carol', 'dave'], moderators: ['dave'] },
      ],
    ])('the creator %s: one member is creator afterwards', async (_what, changes, replies, now) => {
      const id = await group('bob', 'carol', 'dave');
      expect(await heldLock.runInOrder(writing(id), ...changes(id))).toEqual(replies);
      expect(await carol.conversation(id)).toMatchObject(now);
    });
  });

  describe('two accounts that request a friendship of each other', () => {
    const ask = (user: ChatUser, username: string) => act(user, 'request-friendship', { username });
    const expectFriends = async () => {
      expect(await relationsOf(alice)).toEqual({ friends: ['bob'], blocked: [], requests: [] });
      expect(await relationsOf(bob)).toEqual({ friends: ['alice'], blocked: [], requests: [] });
    };

    it('become friends, and no request is left', async () => {
      const requests = [ask(alice, 'bob'), ask(bob, 'alice')];
      const replies = await heldLock.runInOrder(writesTo('friend_request'), ...requests);
      expect(replies).toEqual(['friendship-requested', 'friendship-accepted']);
      await expectFriends();
    });

    it('become friends, however the requests interleave', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const replies = await Promise.all([ask(alice, 'bob')(), ask(bob, 'alice')()]);
        expect(replies.sort()).toEqual(['friendship-accepted', 'friendship-requested']);
        await expectFriends();
        await alice.socket.request('remove-friendship', { username: 'bob' }, 'friendship-removed');
      }
    });

    it('do not become friends if one blocks the other meanwhile', async () => {
      const replies = await heldLock.runInOrder(writesTo('friend_request'), ask(bob, 'alice'), block(alice, 'bob'));
      expect(replies).toEqual(['friendship-requested', 'user-blocked']);
      expect(await relationsOf(alice)).toEqual({ friends: [], blocked: ['bob'], requests: [] });
      expect(await relationsOf(bob)).toEqual({ friends: [], blocked: [], requests: [] });
    });
  });

  describe('a block and a new dm', () => {
    it('with the block first: no dm', async () => {
      const acts = [block(alice, 'bob'), openDm(bob, 'alice')];
      expect(await heldLock.runInOrder(writesTo('conversation'), ...acts)).toEqual(['user-blocked', 'blocked']);
      expect(await dmsOf(bob)).toEqual([]);
    });

    it('with the dm first: it is blocked', async () => {
      const acts = [openDm(bob, 'alice'), block(alice, 'bob')];
      expect(await heldLock.runInOrder(writesTo('message'), ...acts)).toEqual(['conversation-created', 'user-blocked']);
      expect(await dmsOf(bob)).toEqual([expect.objectContaining({ members: ['alice', 'bob'], blocked: true })]);
    });

    it('at once: no dm, or a blocked one', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const acts = [block(alice, 'bob'), openDm(bob, 'alice')];
        const first = (round % 2 === 0 ? acts : acts.reverse()).map((each) => each());
        const replies = await Promise.all(first);
        expect(replies).toContain('user-blocked');
        const created = replies.includes('conversation-created');
        if (!created) expect(replies).toContain('blocked');
        expect((await dmsOf(bob)).map(({ blocked }) => blocked)).toEqual(created ? [true] : []);
        expect(await dmsOf(alice)).toEqual(await dmsOf(bob));
        await database.clear();
      }
    });
  });

  describe('two accounts that open a dm with each other', () => {
    const expectOneDm = async () => {
      const dms = await dmsOf(alice);
      expect(dms).toHaveLength(1);
      expect(await dmsOf(bob)).toEqual(dms);
      return contents(alice, dms[0]?.id ?? '');
    };

    it('share one, with both messages in order of arrival', async () => {
      const replies = await heldLock.runInOrder(writesTo('message'), openDm(alice, 'bob'), openDm(bob, 'alice'));
      expect(replies).toEqual(['conversation-created', 'conversation-created']);
      expect(await expectOneDm()).toEqual(['to bob', 'to alice']);
    });

    it('share one, however the requests interleave', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const replies = await Promise.all([openDm(alice, 'bob')(), openDm(bob, 'alice')()]);
        expect(replies).toEqual(['conversation-created', 'conversation-created']);
        const [dm] = await dmsOf(alice);
        const id = dm?.id ?? '';
        for (const { socket } of [alice, bob]) {
          expect(socket.received('conversation-created').map((each) => each.id)).toContain(id);
          for (const from of ['alice', 'bob'])
            await socket.next('chat-message', (each) => each.conversation_id === id && each.from === from);
        }
        expect((await expectOneDm()).sort()).toEqual(['to alice', 'to bob']);
        await database.clear();
      }
    });
  });
});
