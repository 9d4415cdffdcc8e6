import { maxReactionKinds, type Capability, type MessageWithSeq } from '@waggle/contracts';
import { z } from 'zod';
import { type ChatSocket } from '../support/chat-socket';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { joinThreeUsers } from '../support/three-users';

const rich: readonly Capability[] = ['rich', 'sync'];
/** Emoji of one and of several code points. */
const [bee, flag, family, heart] = ['🐝', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '👩🏽‍❤️‍💋‍👨🏻', '❤️'] as const;
/** Different emoji: a block of Unicode without gaps. */
const kinds = Array.from({ length: maxReactionKinds + 1 }, (_, n) => String.fromCodePoint(0x1f400 + n));

describe('reactions', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let ofAlice: ChatSocket;
  let ofBob: ChatSocket;
  /** An account of another instance. */
  let carol: ChatUser;
  let ofCarol: ChatSocket;
  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis();
    ({ alice, bob, carol, ofAlice, ofBob, ofCarol } = await joinThreeUsers(chat, rich));
  });
  afterAll(() => chat.stop());

  const react = (socket: ChatSocket, id: string, emoji: string = bee) =>
    socket.request('add-reaction', { id, emoji }, 'reactions-changed');
  const withdraw = (socket: ChatSocket, id: string, emoji: string = bee) =>
    socket.request('remove-reaction', { id, emoji }, 'reactions-changed');
  const reactError = async (socket: ChatSocket, id: string, emoji: unknown = bee) =>
    (await socket.requestError('add-reaction', { id, emoji })).code;
  const written = async () => {
    const { id: conversationId } = await alice.open(['bob', 'carol']);
    return { conversationId, id: (await alice.say(conversationId, 'react to me')).id };
  };
  const last = async (user: ChatUser, conversationId: string): Promise<MessageWithSeq | undefined> =>
    (await user.extendedHistory(conversationId)).at(-1);

  it('are added and removed, with their counts, for all members', async () => {
    const { conversationId: conversation_id, id } = await written();
    const first = await react(ofBob, id);
    const change = { username: 'bob', emoji: bee, added: true };
    expect(first).toEqual({ id, conversation_id, reactions: [{ emoji: bee, count: 1 }], changes: [change] });
    for (const socket of [ofAlice, ofCarol])
      expect((await socket.next('reactions-changed', (payload) => payload.id === id)).payload).toEqual(first);
    await react(ofCarol, id, heart);
    expect((await react(ofAlice, id)).reactions).toEqual([
      { emoji: bee, count: 2 },
      { emoji: heart, count: 1 },
    ]);
    expect((await last(bob, conversation_id))?.reactions).toEqual([
      { emoji: bee, count: 2, own: true },
      { emoji: heart, count: 1, own: false },
    ]);
    expect((await withdraw(ofBob, id)).changes).toEqual([{ ...change, added: false }]);
    expect((await last(bob, conversation_id))?.reactions).toEqual([
      { emoji: heart, count: 1, own: false },
      { emoji: bee, count: 1, own: false },
    ]);
    await withdraw(ofAlice, id);
    expect((await withdraw(ofCarol, id, heart)).reactions).toEqual([]);
    expect(await last(carol, conversation_id)).not.toHaveProperty('reactions');
  });

  it('are invisible to clients that do not ask for them', async () => {
    const { conversationId, id } = await written();
    const before = [await bob.history(conversationId), await bob.conversation(conversationId)];
    await react(ofBob, id);
    expect([await bob.history(conversationId), await bob.conversation(conversationId)]).toEqual(before);
    await alice.say(conversationId, 'after');
    await bob.socket.next('chat-message', ({ content }) => content === 'after');
    expect(bob.socket.received('reactions-changed')).toEqual([]);
  });

  it('change nothing if they are repeated, and only this connection gets a reply', async () => {
    const { conversationId, id } = await written();
    expect(await withdraw(ofBob, id)).toMatchObject({ reactions: [], changes: [] });
    await react(ofBob, id);
    expect(await react(ofBob, id)).toMatchObject({ reactions: [{ emoji: bee, count: 1 }], changes: [] });
    await alice.say(conversationId, 'no change');
    await ofAlice.next('chat-message', ({ content }) => content === 'no change');
    expect(ofAlice.received('reactions-changed').filter((payload) => payload.id === id)).toHaveLength(1);
  });

  it('are counted correctly if many accounts react at once', async () => {
    const { id: conversationId } = await alice.open(['bob', 'carol', 'dave', 'erin', 'frank', 'grace']);
    const { id } = await alice.say(conversationId, 'everybody');
    const others: ChatSocket[] = [];
    for (const name of ['dave', 'erin', 'frank', 'grace'])
      others.push(await (await chat.instance.join(name)).connect(rich));
    const sockets = [ofAlice, ofBob, ofCarol, ...others];
    // Each adds ten emoji and withdraws every other one, at once.
    await Promise.all(
      sockets.flatMap((socket) =>
        kinds.slice(0, 10).flatMap((emoji, n) => {
          const added = react(socket, id, emoji);
          return n % 2 === 0 ? [added] : [added, withdraw(socket, id, emoji)];
        }),
      ),
    );
    const { reactions } = await react(ofBob, id, kinds[0]);
    expect(new Map(reactions.map(({ emoji, count }) => [emoji, count]))).toEqual(
      new Map(kinds.slice(0, 10).flatMap((emoji, n) => (n % 2 === 0 ? [[emoji, sockets.length]] : []))),
    );
    const fetched = (await last(alice, conversationId))?.reactions;
    expect(fetched).toEqual(reactions.map((reaction) => ({ ...reaction, own: true })));
    // What the events amount to.
    const events = ofCarol.received('reactions-changed').filter((payload) => payload.id === id);
    const present = new Set<string>();
    for (const { username, emoji, added } of events.flatMap(({ changes }) => changes)) {
      expect(present.has(`${username} ${emoji}`)).toBe(!added);
      if (added) present.add(`${username} ${emoji}`);
      else present.delete(`${username} ${emoji}`);
    }
    expect(present.size).toBe(5 * sockets.length);
    expect(events.length).toBeLessThan(15 * sockets.length);
  });

  it('reach connections that missed them', async () => {
    const { id } = await written();
    const away = await carol.connect(rich);
    away.send('authenticate', { token: carol.session.token });
    const { cursor } = (await away.next('status', (status) => status.cursor !== undefined)).payload;
    await away.close();
    const sent = await react(ofBob, id, family);
    const again = await chat.instance.openSocket();
    again.send('authenticate', { token: carol.session.token, capabilities: rich, resume: cursor });
    await again.next('resume-complete');
    expect(again.received('reactions-changed').filter((payload) => payload.id === id)).toEqual([sent]);
  });

  it.each([
    ['text', 'a'],
    ['empty', ''],
    ['two', bee + bee],
    ['a letter and an emoji', `a${bee}`],
    ['not fully qualified', '❤'],
    ['with an unpaired surrogate', '\ud83d'],
    ['a keycap without its base', '\ufe0f\u20e3'],
    ['ten thousand combining marks', `${bee}${'\u0301'.repeat(10_000)}`],
    ['a list', [bee]],
    ['a number', 1],
  ])('must be one emoji, not %s', async (_what, emoji) => {
    const { conversationId, id } = await written();
    expect(await reactError(ofBob, id, emoji)).toBe('invalid-frame');
    expect(await last(bob, conversationId)).not.toHaveProperty('reactions');
  });

  it.each([[flag], [family], [heart], ['1️⃣'], ['🇪🇸']])('may be %s', async (emoji) => {
    const { id } = await written();
    expect((await react(ofBob, id, emoji)).reactions).toEqual([{ emoji, count: 1 }]);
  });

  it('are of at most twenty kinds', async () => {
    const { conversationId, id } = await written();
    for (const emoji of kinds.slice(0, maxReactionKinds)) await react(ofBob, id, emoji);
    expect(await reactError(ofBob, id, kinds.at(-1))).toBe('too-large');
    expect((await react(ofAlice, id, kinds[3])).reactions).toHaveLength(maxReactionKinds);
    await withdraw(ofBob, id, kinds[0]);
    const { reactions } = await react(ofAlice, id, kinds.at(-1));
    expect((await last(alice, conversationId))?.reactions?.map(({ emoji }) => emoji)).toEqual(
      reactions.map(({ emoji }) => emoji),
    );
  });

  describe('are rejected', () => {
    it('without the capability', async () => {
      const { id } = await written();
      expect(await reactError(bob.socket, id)).toBe('unknown-type');
    });

    it('for messages that the account may not see, deleted and unknown ones', async () => {
      const { conversationId, id } = await written();
      const judy = await (await chat.instance.join('judy')).connect(rich);
      expect(await reactError(judy, id)).toBe('not-found');
      expect(await reactError(ofBob, 'nothing')).toBe('not-found');
      await bob.socket.request('leave-conversation', { conversation_id: conversationId }, 'conversation-removed');
      expect(await reactError(ofBob, id)).toBe('not-found');
      await alice.socket.request('delete-message', { id }, 'message-deleted');
      expect(await reactError(ofAlice, id)).toBe('not-found');
    });

    it('in channels of which the account is no member', async () => {
      const channel = await alice.createChannel('Bees');
      const { id } = await alice.say(channel.id, 'buzz');
      expect(await reactError(ofBob, id)).toBe('forbidden');
      await bob.say(channel.id, 'bzz');
      expect((await react(ofBob, id)).reactions).toEqual([{ emoji: bee, count: 1 }]);
      const removal = { conversation_id: channel.id, username: 'bob' };
      await alice.socket.request('remove-member', removal, 'member-removed');
      expect(await reactError(ofBob, id, heart)).toBe('forbidden');
    });

    it('in a dm in which the account may not write', async () => {
      const erin = await chat.instance.join('erin');
      const { id: conversation_id } = await alice.open('erin');
      const { id } = await alice.say(conversation_id, 'hi');
      await erin.socket.request('block-user', { username: 'alice' }, 'user-blocked');
      expect(await reactError(ofAlice, id)).toBe('blocked');
      await erin.socket.request('unblock-user', { username: 'alice' }, 'user-unblocked');
      await erin.postJson('/users/settings', { dm: { only_from_friends: true } }, z.looseObject({}));
      expect(await reactError(ofAlice, id)).toBe('friends-only');
    });
  });
});
