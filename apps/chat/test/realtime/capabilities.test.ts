import { extendedConversation, messageWithSeq, type Capability, type ServerFrameType } from '@waggle/contracts';
import { exampleIn } from '@waggle/testing';
import { Client } from 'pg';
import { z } from 'zod';
import { toCursor } from '../../src/delivery/cursor';
import { LogStore } from '../../src/log/log.store';
import { type ChatSocket } from '../support/chat-socket';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { HeldLock } from '../support/held-lock';

const frame = z.object({
  type: z.string(),
  ref: z.number().optional(),
  payload: z.record(z.string(), z.unknown()),
});

describe('a client that requests capabilities', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let id: string;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    [alice, bob] = await Promise.all([chat.instance.join('alice'), chat.instance.join('bob')]);
    id = (await alice.open('bob')).id;
    await bob.socket.next('chat-message');
  });
  afterAll(() => chat.stop());

  /** Another connection of the user, with capabilities. */
  const extended = async (user: ChatUser, capabilities: (Capability | 'of the future')[], resume?: string) => {
    const socket = await chat.instance.openSocket();
    socket.send('authenticate', { token: user.session.token, capabilities, resume });
    const { payload } = await socket.next('status');
    return { socket, ...payload };
  };
  /** Sends a line of the page for client authors, with alice's token in it. */
  const sendDocumented = (socket: ChatSocket, line: string) => {
    const text = line.replace('"token": "…"', `"token": "${alice.session.token}"`);
    const { type, ref, payload } = frame.parse(JSON.parse(text));
    socket.send(type, payload, { ref });
  };

  it('authenticates and sends a message as the quick start for client authors shows it', async () => {
    const lines = exampleIn('docs/chat-clients.md', 'Quick start').trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    const [authenticate = '', status = '', send = '', reply = ''] = lines;
    const socket = await chat.instance.openSocket();
    for (const [sent, replied] of [
      [authenticate, status],
      [send, reply],
    ] as const) {
      sendDocumented(socket, sent);
      const shown = frame.parse(JSON.parse(replied));
      const received = frame.parse(await socket.nextMatching(({ type }) => type === shown.type));
      expect([received.ref, Object.keys(received.payload).toSorted()]).toEqual([
        shown.ref,
        Object.keys(shown.payload).toSorted(),
      ]);
    }
    await bob.socket.next('chat-message');
  });

  it('requests capabilities and resumes as the page for client authors shows it', async () => {
    const [asks = '', replies = ''] = exampleIn('docs/chat-clients.md', 'Capabilities').split('\n');
    const first = await chat.instance.openSocket();
    sendDocumented(first, asks);
    const { payload } = await first.next('status');
    const shown = frame.parse(JSON.parse(replies));
    expect(shown.type).toBe('status');
    expect(Object.keys(payload).toSorted()).toEqual(Object.keys(shown.payload).toSorted());
    expect(payload.capabilities).toEqual(shown.payload['capabilities']);

    bob.socket.send('chat-message', { conversation_id: id, message: 'while alice is away' });
    await bob.socket.next('chat-message');
    const again = await chat.instance.openSocket();
    const resumes = exampleIn('docs/chat-clients.md', 'Resume after a disconnect').replace(
      '<the last cursor>',
      payload.cursor ?? '',
    );
    sendDocumented(again, resumes);
    await again.next('resume-complete');
    expect(again.received('chat-message').map(({ content }) => content)).toContain('while alice is away');
  });

  const positionsOf = (socket: ChatSocket, type: ServerFrameType) =>
    socket.frames.flatMap((frame) => (frame.type === type ? [[frame.stream, frame.seq]] : []));

  it('gets those requested capabilities that are supported', async () => {
    const { capabilities, cursor, socket } = await extended(alice, ['typing', 'of the future', 'sync']);
    expect(capabilities).toEqual(['sync', 'typing']);
    expect(cursor).toEqual(expect.any(String));
    expect(await socket.request('authenticate', {}, 'status')).toEqual({
      authenticated: true,
      cursor: expect.any(String),
    });
    expect(await socket.request('authenticate', { capabilities: [] }, 'status')).toEqual({
      authenticated: true,
      capabilities: [],
    });
  });

  it('receives positions with durable frames, and other clients only the documented fields', async () => {
    const { socket } = await extended(bob, ['sync']);
    await alice.say(id, 'one');
    await alice.say(id, 'two');
    await socket.next('chat-message', ({ content }) => content === 'two');
    const [one, two] = positionsOf(socket, 'chat-message');
    expect([one?.[0], two?.[0]]).toEqual([id, id]);
    expect(Number(two?.[1])).toBe(Number(one?.[1]) + 1);
    // The sockets of the tests throw if they receive a position that they did not request.
    await bob.socket.next('chat-message', ({ content }) => content === 'two');
  });

  it('receives missed frames once and in order, and then live ones', async () => {
    const { socket: former, cursor } = await extended(bob, ['sync']);
    await former.close();
    const sent = ['a', 'b', 'c'];
    for (const text of sent) await alice.say(id, text);
    const { socket } = await extended(bob, ['sync'], cursor);
    await socket.next('resume-complete');
    await alice.say(id, 'd');
    await socket.next('chat-message', ({ content }) => content === 'd');
    const messages = socket.received('chat-message');
    expect(messages.slice(-4).map(({ content }) => content)).toEqual([...sent, 'd']);
    expect(new Set(messages.map(({ id: messageId }) => messageId)).size).toBe(messages.length);
  });

  it('receives each message once that is sent while it resumes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { socket: former, cursor } = await extended(bob, ['sync']);
      await former.close();
      const text = (n: number) => `round ${round}, ${n}`;
      const writing = Promise.all(Array.from({ length: 10 }, (_, n) => alice.say(id, text(n))));
      const { socket } = await extended(bob, ['sync'], cursor);
      await writing;
      await alice.say(id, text(10));
      await socket.next('chat-message', ({ content }) => content === text(10));
      const received = socket
        .received('chat-message')
        .flatMap(({ content }) => (content.startsWith(`round ${round},`) ? [content] : []));
      expect(received).toEqual(Array.from({ length: 11 }, (_, n) => text(n)));
      await socket.close();
    }
  });

  it('receives the events of leaving and being removed while it was disconnected', async () => {
    const carol = await chat.instance.join('carol');
    const { id: group } = await alice.open(['carol', 'bob']);
    await carol.socket.next('conversation-created');
    const { socket: former, cursor } = await extended(carol, ['sync']);
    await former.close();
    await alice.socket.request('remove-member', { conversation_id: group, username: 'carol' }, 'member-removed');
    await alice.say(group, 'without you');
    const { socket } = await extended(carol, ['sync'], cursor);
    await socket.next('resume-complete');
    expect(socket.received('conversation-removed')).toEqual([{ id: group }]);
    expect(socket.received('chat-message').map(({ content }) => content)).not.toContain('without you');
  });

  it.each([
    ['what is no cursor', 'nonsense', 'invalid'],
    ['a cursor of the future', toCursor(new Date(Date.now() + 3_600_000)), 'invalid'],
    ['a cursor of the day before yesterday', toCursor(new Date(Date.now() - 48 * 3_600_000)), 'expired'],
  ])('gets resume-failed for %s', async (_what, cursor, reason) => {
    const { socket } = await extended(bob, ['sync'], cursor);
    expect((await socket.next('resume-failed')).payload).toEqual({ reason, cursor: expect.any(String) });
  });

  it('repeats a message without a reply, which is stored once', async () => {
    const { socket } = await extended(alice, ['client-id', 'sync']);
    const payload = { conversation_id: id, message: 'only once', client_id: 'mark-1' };
    for (const ref of [1, 2]) socket.send('chat-message', payload, { ref });
    const first = await socket.nextMatching(({ ref }) => ref === 1);
    const second = await socket.nextMatching(({ ref }) => ref === 2);
    expect(await socket.request('chat-message', payload, 'chat-message')).toEqual(first.payload);
    expect(second).toMatchObject({ payload: first.payload, seq: first.seq });
    expect((await alice.wholeHistory(id)).filter(({ content }) => content === 'only once')).toHaveLength(1);
    const { code } = await socket.requestError('chat-message', { ...payload, client_id: 5 });
    expect(code).toBe('invalid-frame');
  });

  it('gets the first reply to a message again, even after its deletion', async () => {
    const { socket } = await extended(alice, ['client-id', 'sync']);
    const payload = { conversation_id: id, message: 'deleted soon', client_id: 'deleted-1' };
    const first = await socket.request('chat-message', payload, 'chat-message');
    await socket.request('delete-message', { id: first.id }, 'message-deleted');
    expect(await socket.request('chat-message', payload, 'chat-message')).toEqual(first);
    const { code } = await socket.requestError('chat-message', { ...payload, message: 'another' });
    expect(code).toBe('conflict');
  });

  it('gets conflict for another text with the key of a message in the same batch that joins a channel', async () => {
    const heldLock = await HeldLock.connect(chat.database);
    const groups = [(await alice.open(['bob'])).id, (await alice.open(['bob'])).id];
    const { id: channel } = await alice.createChannel('Bees');
    const { socket } = await extended(bob, ['client-id']);
    await heldLock.acquire({
      text: 'SELECT FROM conversation WHERE id = ANY($1) FOR UPDATE',
      values: [`{${groups.join()}}`],
    });
    // Two waiting messages occupy the connections that store messages, so that the channel's messages are stored
    // together.
    for (const [i, group] of groups.entries()) {
      alice.socket.send('chat-message', { conversation_id: group, message: 'waits' });
      await heldLock.waitForWaiting(i + 1);
    }
    for (const message of ['one', 'another']) {
      socket.send('chat-message', { conversation_id: channel, message, client_id: 'same flush' }, { ref: message });
    }
    await socket.requestError('acknowledgment', {});
    await heldLock.release();
    await heldLock.disconnect();
    expect((await socket.nextMatching(({ ref }) => ref === 'another')).payload).toMatchObject({ code: 'conflict' });
    expect((await alice.history(channel)).map(({ content }) => content)).toEqual(['one']);
  });

  it('may send any client_id without the capability', async () => {
    for (const client_id of ['mark-2', 'mark-2', 5, { a: 1 }]) {
      await alice.socket.request('chat-message', { conversation_id: id, message: 'each', client_id }, 'chat-message');
    }
    expect((await alice.wholeHistory(id)).filter(({ content }) => content === 'each')).toHaveLength(4);
  });

  it('creates a group once', async () => {
    const { socket } = await extended(alice, ['client-id', 'sync']);
    const payload = { to: ['bob', 'carol'], message: 'hello', client_id: 'group-1' };
    const made = await socket.request('create-conversation', payload, 'conversation-created');
    expect(await socket.request('create-conversation', payload, 'conversation-created')).toEqual(made);
    expect((await alice.wholeHistory(made.id)).map(({ content }) => content)).toEqual(['hello']);
  });

  describe('and creates groups with idempotency keys', () => {
    let asAlice: ChatSocket;
    let asBob: ChatSocket;
    beforeAll(async () => {
      asAlice = (await extended(alice, ['client-id', 'sync'])).socket;
      asBob = (await extended(bob, ['client-id', 'sync'])).socket;
    });
    const make = (socket: ChatSocket, client_id: string, to: string[], message = 'hello') =>
      socket.request('create-conversation', { to, message, client_id }, 'conversation-created');

    it('can leave a group to an account that has used the same key, and the keys of both stay valid', async () => {
      const ofAlice = await make(asAlice, 'same', ['bob']);
      const ofBob = await make(asBob, 'same', ['carol']);
      await asAlice.request('leave-conversation', { conversation_id: ofAlice.id }, 'conversation-removed');
      expect(await make(asBob, 'same', ['carol'])).toEqual(ofBob);
      expect(await make(asAlice, 'same', ['bob'])).toEqual(ofAlice);
    });

    it('does not get a group that another account created, even as its new creator', async () => {
      const { id: left } = await make(asAlice, 'guessed', ['bob']);
      await asAlice.request('leave-conversation', { conversation_id: left }, 'conversation-removed');
      expect((await make(asBob, 'guessed', ['carol'])).id).not.toBe(left);
    });

    it('gets the first message, even if it is deleted', async () => {
      const made = await make(asAlice, 'deleted', ['bob']);
      const first = await asAlice.next('chat-message', ({ conversation_id }) => conversation_id === made.id);
      await asAlice.request('delete-message', { id: first.payload.id }, 'message-deleted');
      asAlice.send('create-conversation', { to: ['bob'], message: 'hello', client_id: 'deleted' }, { ref: 'again' });
      const replies = [
        await asAlice.nextMatching(({ ref }) => ref === 'again'),
        await asAlice.nextMatching(({ ref }) => ref === 'again'),
      ];
      expect(replies.map(({ type }) => type)).toEqual(['conversation-created', 'chat-message']);
      expect(replies.map(({ payload }) => payload)).toMatchObject([made, { id: first.payload.id }]);
    });

    it('gets conflict for another group or another text', async () => {
      const { id: made } = await make(asAlice, 'other', ['bob', 'carol']);
      const again = { to: ['carol', 'bob'], message: 'hello', client_id: 'other' };
      for (const changed of [{ to: ['bob'] }, { message: 'good bye' }]) {
        const { code } = await asAlice.requestError('create-conversation', { ...again, ...changed });
        expect(code).toBe('conflict');
      }
      expect(asAlice.received('conversation-created').filter((each) => each.id === made)).toHaveLength(1);
      expect((await asAlice.request('create-conversation', again, 'conversation-created')).id).toBe(made);
      const message = { conversation_id: made, message: 'one', client_id: 'text' };
      await asAlice.request('chat-message', message, 'chat-message');
      expect((await asAlice.requestError('chat-message', { ...message, message: 'two' })).code).toBe('conflict');
      expect((await alice.wholeHistory(made)).map(({ content }) => content)).toEqual(['hello', 'one']);
    });

    it('reads only the first entry of the group for a repeat', async () => {
      const made = await make(asAlice, 'long', ['bob']);
      await alice.say(made.id, 'more');
      const reads = jest.spyOn(chat.instance.provided(LogStore), 'findEntries');
      expect(await make(asAlice, 'long', ['bob'])).toEqual(made);
      const entries = await Promise.all(reads.mock.results.map(({ value }): unknown => value));
      reads.mockRestore();
      expect(entries.flat()).toMatchObject([{ stream: made.id, seq: 1 }]);
    });

    it('creates one group for concurrent repeats', async () => {
      const payload = { to: ['bob'], message: 'hello', client_id: 'crowd' };
      const made = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const { socket } = await extended(alice, ['client-id']);
          return socket.request('create-conversation', payload, 'conversation-created');
        }),
      );
      expect(new Set(made.map(({ id: each }) => each)).size).toBe(1);
    });

    it('creates another group a day later', async () => {
      const { id: made } = await make(asAlice, 'daily', ['bob']);
      const database = new Client(chat.database.url);
      await database.connect();
      await database.query(`UPDATE conversation SET created_at = created_at - interval '24 hours' WHERE id = $1`, [
        made,
      ]);
      await database.query('DELETE FROM event WHERE stream = $1', [made]);
      await database.end();
      const next = await make(asAlice, 'daily', ['bob']);
      expect(next.id).not.toBe(made);
      expect(await make(asAlice, 'daily', ['bob'])).toEqual(next);
    });
  });

  it('receives typing and read receipts of its conversations', async () => {
    const { socket: asAlice } = await extended(alice, ['typing', 'receipts']);
    const { socket: asBob } = await extended(bob, ['typing']);
    asBob.send('typing', { conversation_id: id });
    expect((await asAlice.next('typing')).payload).toEqual({ conversation_id: id, username: 'bob' });
    await bob.socket.request('acknowledgment', { conversation_id: id }, 'acknowledged');
    const receipt = await asAlice.next('messages-read');
    expect(receipt.payload).toMatchObject({ conversation_id: id, username: 'bob' });

    const { id: others } = await alice.open(['carol']);
    expect((await asBob.requestError('typing', { conversation_id: others })).code).toBe('not-found');
    expect((await bob.socket.requestError('typing', { conversation_id: id })).code).toBe('unknown-type');
  });

  it('receives no ephemeral events of the other account of a dm while one of them blocks the other', async () => {
    const erin = await chat.instance.join('erin');
    const { id: dm } = await alice.open('erin');
    const { socket: asErin } = await extended(erin, ['typing', 'receipts', 'sync']);
    const { socket: asAlice } = await extended(alice, ['typing', 'receipts', 'sync']);
    const { cursor } = await asAlice.request('authenticate', {}, 'status');
    await alice.socket.request('block-user', { username: 'erin' }, 'user-blocked');
    for (const socket of [asErin, asAlice]) {
      expect((await socket.requestError('typing', { conversation_id: dm })).code).toBe('blocked');
    }
    for (const { socket } of [erin, alice])
      await socket.request('acknowledgment', { conversation_id: dm }, 'acknowledged');
    const { socket: again } = await extended(alice, ['receipts', 'sync'], cursor);
    await again.next('resume-complete');
    await alice.socket.request('unblock-user', { username: 'erin' }, 'user-unblocked');
    await alice.say(dm, 'well then');
    for (const socket of [asErin, asAlice]) await socket.next('chat-message', ({ content }) => content === 'well then');
    const hints = [asErin, asAlice, again].flatMap((socket) => [
      ...socket.received('messages-read'),
      ...socket.received('typing'),
    ]);
    expect(hints.filter(({ conversation_id }) => conversation_id === dm)).toEqual([]);
  });

  it('receives no typing in a dm that it has left, until the next message', async () => {
    const heidi = await chat.instance.join('heidi');
    const { id: dm } = await alice.open('heidi');
    const { socket: asHeidi } = await extended(heidi, ['typing']);
    const { socket: asAlice } = await extended(alice, ['typing']);
    await heidi.socket.request('leave-conversation', { conversation_id: dm }, 'conversation-removed');
    asAlice.send('typing', { conversation_id: dm });
    await asAlice.request('chat-message', { conversation_id: dm, message: 'back again' }, 'chat-message');
    await asHeidi.next('chat-message', ({ content }) => content === 'back again');
    expect(asHeidi.received('typing')).toEqual([]);
  });

  it('receives typing in a channel from members only', async () => {
    const { id: channel } = await alice.createChannel('bees');
    await bob.conversation(channel);
    const { socket: asAlice } = await extended(alice, ['typing']);
    const { socket: asBob } = await extended(bob, ['typing']);
    expect((await asBob.requestError('typing', { conversation_id: channel })).code).toBe('forbidden');
    asAlice.send('typing', { conversation_id: channel });
    expect((await asBob.next('typing')).payload).toEqual({ conversation_id: channel, username: 'alice' });
    expect(asAlice.received('typing')).toEqual([]);
  });

  it('acknowledges with `sync` only what it has received, and without it everything that is stored', async () => {
    const { id: dm } = await alice.open('frank', 'delivered');
    const frank = await chat.instance.join('frank');
    const { socket } = await extended(frank, ['sync', 'receipts']);
    const { socket: asAlice } = await extended(alice, ['receipts']);
    const database = new Client({ connectionString: chat.database.url });
    await database.connect();
    // Stores a message of an instance whose bus message has not arrived here yet.
    const store = async () => {
      const { rows } = await database.query<{ seq: number }>(
        `WITH numbered AS (UPDATE conversation SET last_seq = last_seq + 1 WHERE id = $1 RETURNING last_seq)
         INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at)
         SELECT $1, last_seq, 'stored-' || last_seq, 'alice', 'frank', 'not delivered yet', now() FROM numbered
         RETURNING seq::int`,
        [dm],
      );
      return rows[0]?.seq ?? 0;
    };
    const acknowledge = async () => {
      await socket.request('acknowledgment', { conversation_id: dm }, 'acknowledged');
      return (await asAlice.next('messages-read', ({ username }) => username === 'frank')).payload.seq;
    };
    const unread = async () => (await frank.unread()).map(({ content }) => content);
    let left: string[] = [];
    // The instance polls for messages, so it may deliver one of them in time. It does not find five in a row that fast.
    for (let attempt = 0; attempt < 5 && left.length === 0; attempt += 1) {
      const seq = await store();
      const acknowledgedSeq = await acknowledge();
      left = await unread();
      if (left.length > 0) expect(acknowledgedSeq).toBe(seq - 1);
    }
    await database.end();
    expect(left).toEqual(['not delivered yet']);
    await frank.socket.request('acknowledgment', { conversation_id: dm }, 'acknowledged');
    expect(await unread()).toEqual([]);
  });

  it('reads more over REST with extended=true', async () => {
    const { id: dm } = await alice.open('dave', 'first');
    await alice.say(dm, 'second');
    const dave = await chat.instance.join('dave');
    const [listed] = await dave.getJson('/messages/conversations?extended=true', z.array(extendedConversation));
    expect(listed).toMatchObject({ id: dm, unread_count: 2, last_message: { content: 'second', read: false } });
    const history = await dave.getJson(`/messages/chats?conversation_id=${dm}&extended=true`, z.array(messageWithSeq));
    expect(history.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(listed?.last_seq).toBe(3);
    await dave.socket.request('acknowledgment', { conversation_id: dm }, 'acknowledged');
    const one = await dave.getJson(`/messages/conversation?id=${dm}&extended=true`, extendedConversation);
    expect(one).toMatchObject({ unread_count: 0, last_message: { read: true } });
  });
});
