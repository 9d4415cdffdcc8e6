import { type ClientFrameType } from '@waggle/contracts';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest, type ChatInstance } from '../support/chat-under-test';
import { type AnyServerFrame, type ChatSocket } from '../support/chat-socket';
import { HeldLock, type Lock } from '../support/held-lock';
import { DatabaseState } from '../support/database-state';

/** Members of a full group. */
const fullGroup = 8;

/** The result of a race is one of the two orders, in the database and in the events of clients. */
describe('racing', () => {
  let chat: ChatUnderTest;
  let database: DatabaseState;
  let heldLock: HeldLock;
  /** A second instance on the same database: where only the locks of the database order changes. */
  let other: ChatInstance;
  let alice: ChatUser;
  let bob: ChatUser;
  let carol: ChatUser;
  let dave: ChatUser;
  /** bob, connected to the second instance. */
  let bobElsewhere: ChatUser;
  beforeAll(async () => {
    const limits = { groupMembers: fullGroup };
    chat = await ChatUnderTest.start({ limits });
    database = await DatabaseState.connect(chat.database);
    heldLock = await HeldLock.connect(chat.database);
    other = await chat.addInstance({ limits });
    alice = await chat.instance.join('alice');
    bob = await chat.instance.join('bob');
    carol = await chat.instance.join('carol');
    dave = await chat.instance.join('dave');
    bobElsewhere = await other.join('bob');
  });
  afterEach(() => database.clear());
  afterAll(async () => {
    await chat.instance.close();
    await other.close();
    await heldLock.disconnect();
    await database.close();
    await chat.stop();
  });

  let sent = 0;
  /** The reply to a frame: the type of the first event, or the code of the error. */
  const outcome = async ({ socket }: { socket: ChatSocket }, type: ClientFrameType, payload: object) => {
    sent += 1;
    const ref = `race-${sent}`;
    socket.send(type, payload, { ref });
    const reply = await socket.nextMatching((frame) => frame.ref === ref);
    return reply.type === 'error' ? reply.payload.code : reply.type;
  };
  /** Resolves when everything that was written to the socket so far has arrived. */
  const caughtUp = ({ socket }: { socket: ChatSocket }) => socket.requestError('acknowledgment', {});
  /** The frames about a conversation that a user received, in order. */
  const deliveredTo = async (user: { socket: ChatSocket }, id: string): Promise<AnyServerFrame[]> => {
    await caughtUp(user);
    return user.socket.frames.filter(({ payload }) => {
      if ('conversation_id' in payload) return payload.conversation_id === id;
      return 'id' in payload && payload.id === id;
    });
  };
  const typesDelivered = async (user: { socket: ChatSocket }, id: string) =>
    (await deliveredTo(user, id)).map(({ type }) => type);
  const contentsDelivered = (frames: readonly AnyServerFrame[]) =>
    frames.flatMap((frame) => (frame.type === 'chat-message' ? [frame.payload.content] : []));
  const stored = async (user: ChatUser, id: string) => (await user.wholeHistory(id)).map(({ content }) => content);
  const group = async (...moderators: string[]) => {
    const { id } = await alice.open(['bob', 'carol', 'dave']);
    for (const username of moderators) {
      await alice.socket.request('add-moderator', { conversation_id: id, username }, 'moderator-added');
    }
    return id;
  };
  const channel = async () => {
    const { id } = await alice.createChannel('Bees');
    for (const username of ['bob', 'carol']) {
      await alice.socket.request('add-member', { conversation_id: id, username }, 'member-added');
    }
    await alice.say(id, 'hello');
    return id;
  };
  const rounds = (count: number) => Array.from({ length: count }, (_, round) => round);

  describe.each([
    ['a group', () => group(), 'not-found'],
    ['a channel', () => channel(), 'forbidden'],
  ])('a member of %s who is removed while writing', (_what, begin, errorCode) => {
    it('receives nothing after it, and all members receive exactly the stored messages', async () => {
      const sockets = [carol.socket, await carol.connect(), await carol.connect(), await carol.connect()];
      for (const round of rounds(4)) {
        const id = await begin();
        const frame = { conversation_id: id, username: 'carol' };
        const writing = rounds(15).flatMap((n) =>
          sockets.map(async (socket, s) => {
            const message = `${s}-${n}`;
            const payload = { conversation_id: id, message };
            return { message, reply: await outcome({ socket }, 'chat-message', payload) };
          }),
        );
        const receivedFirst = round * 10;
        for (let n = 0; n < receivedFirst; n += 1)
          await bob.socket.next('chat-message', (each) => each.conversation_id === id);
        expect(await outcome(alice, 'remove-member', frame)).toBe('member-removed');
        const replies = await Promise.all(writing);
        const accepted = replies.filter(({ reply }) => reply === 'chat-message').map(({ message }) => message);
        const rejected = replies.filter(({ reply }) => reply !== 'chat-message');
        expect(new Set(rejected.map(({ reply }) => reply))).toEqual(new Set(rejected.length === 0 ? [] : [errorCode]));
        await alice.say(id, 'among us');
        const history = await stored(alice, id);
        expect([...history].sort()).toEqual(['hello', ...accepted, 'among us'].sort());
        for (const user of [alice, bob]) expect(contentsDelivered(await deliveredTo(user, id))).toEqual(history);
        const types = await typesDelivered(bob, id);
        expect(types.slice(types.indexOf('member-removed'))).toEqual(['member-removed', 'chat-message']);
        for (const socket of sockets) {
          const delivered = await deliveredTo({ socket }, id);
          expect(delivered.at(-1)?.type).toBe('conversation-removed');
          expect(contentsDelivered(delivered)).toEqual(history.slice(0, -1));
        }
      }
      for (const socket of sockets.slice(1)) await socket.close();
    });
  });

  // `two-instances.test.ts` has the same at two instances.
  describe('two users of one instance who act', () => {
    it('on one member: one removes it, the other gets not-found', async () => {
      for (let round = 0; round < 4; round += 1) {
        const id = await group('bob');
        const frame = { conversation_id: id, username: 'dave' };
        const outcomes = await Promise.all([alice, bob].map((who) => outcome(who, 'remove-member', frame)));
        expect(outcomes.sort()).toEqual(['member-removed', 'not-found']);
        expect((await alice.conversation(id)).members).toEqual(['bob', 'carol', 'alice']);
        expect((await typesDelivered(carol, id)).filter((type) => type === 'member-removed')).toHaveLength(1);
        expect((await typesDelivered(dave, id)).filter((type) => type === 'conversation-removed')).toHaveLength(1);
      }
    });

    it('to add one account: one does, the other is in conflict', async () => {
      for (let round = 0; round < 4; round += 1) {
        const id = await group('bob');
        const frame = { conversation_id: id, username: 'erin' };
        const outcomes = await Promise.all([alice, bob].map((who) => outcome(who, 'add-member', frame)));
        expect(outcomes.sort()).toEqual(['conflict', 'member-added']);
        expect((await alice.conversation(id)).members).toEqual(['bob', 'carol', 'dave', 'alice', 'erin']);
        expect((await typesDelivered(carol, id)).filter((type) => type === 'member-added')).toHaveLength(1);
      }
    });

    it('of whom one is creator and leaves: what the creator did at once counts before, or not at all', async () => {
      const elsewhere = { socket: await alice.connect() };
      for (const round of rounds(4)) {
        const id = await group();
        const leave = () => outcome(alice, 'leave-conversation', { conversation_id: id });
        const appoint = () => outcome(elsewhere, 'add-moderator', { conversation_id: id, username: 'dave' });
        const outcomes = await Promise.all(round % 2 === 0 ? [leave(), appoint()] : [appoint(), leave()]);
        const now = await carol.conversation(id);
        if (outcomes.includes('moderator-added')) expect(now).toMatchObject({ creator: 'dave', moderators: ['dave'] });
        else {
          expect(outcomes.sort()).toEqual(['conversation-removed', 'not-found']);
          expect(now).toMatchObject({ creator: 'bob', moderators: [] });
        }
      }
    });
  });

  describe.each([
    ['at one instance', () => bob],
    ['at two instances', () => bobElsewhere],
  ])('two who act %s', (where, second) => {
    const atOne = where === 'at one instance';

    it('to delete one message: one does, the other finds nothing', async () => {
      for (let round = 0; round < 4; round += 1) {
        const id = await group('bob');
        const message = await carol.say(id, 'delete me');
        const outcomes = await Promise.all(
          [alice, second()].map((who) => outcome(who, 'delete-message', { id: message.id })),
        );
        expect(outcomes.sort()).toEqual(['message-deleted', 'not-found']);
        expect(await stored(carol, id)).toEqual(['hello']);
      }
    });

    it('to appoint and to remove: the first one does', async () => {
      for (const round of rounds(4)) {
        const id = await group('bob');
        const frame = { conversation_id: id, username: 'dave' };
        const appoint = () => outcome(alice, 'add-moderator', frame);
        const remove = () => outcome(second(), 'remove-member', frame);
        const outcomes = await Promise.all(round % 2 === 0 ? [appoint(), remove()] : [remove(), appoint()]);
        const now = await alice.conversation(id);
        if (outcomes.includes('moderator-added')) {
          expect(outcomes.sort()).toEqual(['forbidden', 'moderator-added']);
          expect(now).toMatchObject({ members: ['bob', 'carol', 'dave', 'alice'], moderators: ['bob', 'dave'] });
        } else {
          expect(outcomes.sort()).toEqual(['member-removed', 'not-found']);
          expect(now).toMatchObject({ members: ['bob', 'carol', 'alice'], moderators: ['bob'] });
        }
      }
    });

    it('as the creator leaves: changes of the successor are rejected before and accepted after', async () => {
      for (const round of rounds(4)) {
        const id = await group('bob');
        const leave = () => outcome(alice, 'leave-conversation', { conversation_id: id });
        const rename = () => outcome(second(), 'rename-conversation', { conversation_id: id, name: 'Ours' });
        const appoint = () => outcome(second(), 'add-moderator', { conversation_id: id, username: 'carol' });
        const leaving = round % 2 === 0 ? leave() : undefined;
        const others = [rename(), appoint()];
        const [left, renamed, appointed] = await Promise.all([leaving ?? leave(), ...others]);
        expect(left).toBe('conversation-removed');
        const now = await carol.conversation(id);
        expect(now.creator).toBe('bob');
        expect(now.members).toEqual(['bob', 'carol', 'dave']);
        expect(renamed).toBe(now.name === undefined ? 'forbidden' : 'conversation-renamed');
        expect(appointed).toBe(now.moderators.includes('carol') ? 'moderator-added' : 'forbidden');
        if (!atOne) continue;
        const types = await typesDelivered(carol, id);
        const at = types.indexOf('member-left');
        if (renamed === 'conversation-renamed') expect(types.indexOf(renamed)).toBeGreaterThan(at);
        if (appointed === 'moderator-added') expect(types.lastIndexOf(appointed)).toBeGreaterThan(at);
      }
    });
  });

  it('all members leave at once: no member remains, and each receives the earlier events', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await group('carol');
      const users = [alice, bob, carol, dave];
      const outcomes = await Promise.all(
        users.map((who) => outcome(who, 'leave-conversation', { conversation_id: id })),
      );
      expect(new Set(outcomes)).toEqual(new Set(['conversation-removed']));
      const received = await Promise.all(users.map((who) => typesDelivered(who, id)));
      const left = received.map((types) => types.filter((type) => type === 'member-left').length);
      expect(left.sort()).toEqual([0, 1, 2, 3]);
      for (const types of received) expect(types.at(-1)).toBe('conversation-removed');
      for (const user of users) expect((await user.conversations()).map((each) => each.id)).not.toContain(id);
    }
  });

  it('20 accounts are added at two instances at once: the group does not exceed its limit', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `newcomer-${n}`);
    for (const name of names) chat.devnet.createAccount(name);
    const actors = [alice, bob, bobElsewhere];
    const id = await group('bob');
    const adding = names.map(async (username, n) => {
      const actor = actors[n % actors.length] ?? alice;
      return { username, reply: await outcome(actor, 'add-member', { conversation_id: id, username }) };
    });
    const replies = await Promise.all(adding);
    const added = replies.filter(({ reply }) => reply === 'member-added').map(({ username }) => username);
    const { members } = await carol.conversation(id);
    expect(members).toHaveLength(fullGroup);
    expect([...members].sort()).toEqual(['alice', 'bob', 'carol', 'dave', ...added].sort());
    for (const { reply } of replies) expect(['member-added', 'too-large']).toContain(reply);
  });

  it('a dm is hidden while the other account writes: it is listed if and only if a message follows', async () => {
    const { id } = await alice.open('dave');
    const writing: Lock = { text: 'SELECT FROM conversation WHERE id = $1 FOR NO KEY UPDATE', values: [id] };
    for (const round of rounds(8)) {
      const before = (await deliveredTo(alice, id)).length;
      const leave = () => outcome(alice, 'leave-conversation', { conversation_id: id });
      const write = () => outcome(dave, 'chat-message', { conversation_id: id, message: `round ${round}` });
      const acts = round % 2 === 0 ? [leave, write] : [write, leave];
      // The first two rounds force both orders; the others are random.
      if (round < 2) await heldLock.runInOrder(writing, ...acts);
      else await Promise.all(acts.map((act) => act()));
      const types = (await typesDelivered(alice, id)).slice(before);
      const isBack = types.at(-1) === 'chat-message';
      if (round < 2) expect(isBack).toBe(round === 0);
      const hidden = ['chat-message', 'conversation-removed'];
      const returned = ['conversation-removed', 'conversation-created', 'chat-message'];
      expect(types.filter((type) => types.length === 3 || type !== 'conversation-created')).toEqual(
        isBack ? returned : hidden,
      );
      expect((await alice.conversations()).some((each) => each.id === id)).toBe(isBack);
      expect((await alice.unread()).some((each) => each.conversation_id === id)).toBe(isBack);
      expect((await dave.conversations()).some((each) => each.id === id)).toBe(true);
      if (!isBack) await dave.say(id, 'are you there?');
      await alice.socket.request('acknowledgment', { conversation_id: id }, 'acknowledged');
    }
    expect(contentsDelivered(await deliveredTo(alice, id))).toEqual(await stored(alice, id));
    expect(contentsDelivered(await deliveredTo(dave, id))).toEqual(await stored(alice, id));
  });

  it('an account joins a channel by writing while others write: earlier messages count as read', async () => {
    for (const round of rounds(4)) {
      const id = await channel();
      const bobs = rounds(30).map((n) =>
        outcome(bob, 'chat-message', { conversation_id: id, message: `${round}-${n}` }),
      );
      const joining = outcome(dave, 'chat-message', { conversation_id: id, message: 'here I am' });
      const more = rounds(10).map((n) => outcome(bob, 'chat-message', { conversation_id: id, message: `later ${n}` }));
      await Promise.all([...bobs, joining, ...more]);
      const history = await stored(dave, id);
      const after = history.slice(history.indexOf('here I am') + 1);
      expect(contentsDelivered(await deliveredTo(dave, id))).toEqual(['here I am', ...after]);
      const unread = (await dave.unread()).filter(({ conversation_id }) => conversation_id === id);
      expect(unread.map(({ content }) => content)).toEqual(after);
    }
  });

  it('an account is removed from a channel while it requests it: it receives no later events', async () => {
    const id = await channel();
    // Only a friend can add an account that left.
    await alice.socket.request('request-friendship', { username: 'dave' }, 'friendship-requested');
    await dave.socket.request('request-friendship', { username: 'alice' }, 'friendship-accepted');
    // Reading long pages takes a while, so they may arrive after the removal that they do not show.
    await Promise.all(rounds(60).map(() => alice.say(id, 'x'.repeat(4_000))));
    const frame = { conversation_id: id, username: 'dave' };
    const remove = () => outcome(alice, 'remove-member', frame);
    for (const round of rounds(3)) {
      // An account without any relation to the channel receives no event of its removal.
      await alice.socket.request('add-member', frame, 'member-added');
      expect(await outcome(dave, 'leave-conversation', { conversation_id: id })).toBe('conversation-removed');
      if (round === 0) {
        // The request did not see the removal, which is stored before it.
        const storing: Lock = { text: 'LOCK TABLE member IN SHARE MODE' };
        await heldLock.runInOrder<unknown>(storing, remove, () => dave.history(id));
      } else {
        let reply: string | undefined;
        const removal = remove().then((type) => (reply = type));
        const asking = [];
        while (reply === undefined) {
          asking.push(dave.history(id, '&limit=200'));
          await caughtUp(bob);
        }
        expect(await removal).toBe('member-removed');
        await Promise.all(asking);
      }
      await alice.say(id, 'among us');
      expect((await typesDelivered(dave, id)).at(-1)).toBe('conversation-removed');
    }
  });

  it('one account sends two renames at once: the last event determines the name', async () => {
    const elsewhere = { socket: await alice.connect() };
    for (let round = 0; round < 4; round += 1) {
      const id = await group();
      const names = ['Bees', 'Wasps', 'Ants', 'Flies'];
      await Promise.all(
        names.map((name, n) =>
          outcome(n % 2 === 0 ? alice : elsewhere, 'rename-conversation', { conversation_id: id, name }),
        ),
      );
      const delivered = (await deliveredTo(carol, id)).flatMap((frame) =>
        frame.type === 'conversation-renamed' ? [frame.payload.name] : [],
      );
      expect([...delivered].sort()).toEqual([...names].sort());
      expect((await carol.conversation(id)).name).toBe(delivered.at(-1));
    }
  });

  it('an account is removed from a group while it acknowledges: it has no access afterwards', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await group();
      const acknowledging = rounds(10).map(() => outcome(carol, 'acknowledgment', { conversation_id: id }));
      const removal = outcome(alice, 'remove-member', { conversation_id: id, username: 'carol' });
      const more = rounds(10).map(() => outcome(carol, 'acknowledgment', { conversation_id: id }));
      expect(await removal).toBe('member-removed');
      for (const reply of await Promise.all([...acknowledging, ...more])) {
        expect(['acknowledged', 'not-found']).toContain(reply);
      }
      const types = await typesDelivered(carol, id);
      // An earlier acknowledgment may get its reply later, since it is not an entry of the conversation.
      const later = types.slice(types.indexOf('conversation-removed') + 1);
      expect(later.filter((type) => type !== 'acknowledged')).toEqual([]);
      expect(await carol.getError(`/messages/chats?conversation_id=${id}`)).toMatchObject({ statusCode: 404 });
      await alice.socket.request('add-member', { conversation_id: id, username: 'carol' }, 'member-added');
      expect((await carol.conversation(id)).members).toEqual(['bob', 'dave', 'alice', 'carol']);
    }
  });
});
