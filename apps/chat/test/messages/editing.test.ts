import { messageRevision, unreadMessageWithSeq, type Capability } from '@waggle/contracts';
import { Client } from 'pg';
import { z } from 'zod';
import { type ChatSocket } from '../support/chat-socket';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';

const rich: readonly Capability[] = ['rich', 'sync', 'client-id'];

describe('editing', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let carol: ChatUser;
  /** Connections with the capability. */
  let ofAlice: ChatSocket;
  let ofBob: ChatSocket;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    [alice, bob, carol] = [
      await chat.instance.join('alice'),
      await chat.instance.join('bob'),
      await chat.instance.join('carol'),
    ];
    [ofAlice, ofBob] = await Promise.all([alice.connect(rich), bob.connect(rich)]);
  });
  afterAll(() => chat.stop());

  const edit = (socket: ChatSocket, id: string, message: string) =>
    socket.request('edit-message', { id, message }, 'message-edited');
  const editError = async (socket: ChatSocket, id: string, message = 'other') =>
    (await socket.requestError('edit-message', { id, message })).code;
  const revisions = (user: ChatUser, id: string) =>
    user.getJson(`/messages/revisions?id=${id}`, z.array(messageRevision));
  const written = async (text = 'frist') => {
    const { id: conversationId } = await alice.open(['bob', 'carol']);
    return { conversationId, id: (await alice.say(conversationId, text)).id };
  };

  it('replaces the text, and tells the members with the capability', async () => {
    const { conversationId, id } = await written();
    const payload = await edit(ofAlice, id, 'first');
    expect(payload).toEqual({
      id,
      conversation_id: conversationId,
      content: 'first',
      revision: 1,
      edited_at: expect.any(String),
    });
    const event = await ofBob.next('message-edited');
    expect(event).toMatchObject({ payload, stream: conversationId, seq: 4 });
    expect(await edit(ofAlice, id, 'first!')).toMatchObject({ revision: 2 });
    expect((await alice.history(conversationId)).at(-1)?.content).toBe('first!');
  });

  it('shows others only the new text', async () => {
    const { conversationId, id } = await written();
    const { edited_at } = await edit(ofAlice, id, 'first');
    await bob.say(conversationId, 'after');
    const plain = await carol.socket.nextMatching(
      ({ type, payload }) => type === 'chat-message' && 'content' in payload && payload.content === 'after',
    );
    expect(Object.keys(plain.payload).toSorted()).toEqual(
      ['content', 'conversation_id', 'from', 'id', 'read', 'timestamp', 'to'].toSorted(),
    );
    for (const user of [alice, bob, carol]) expect(user.socket.received('message-edited')).toEqual([]);
    const [, edited, after] = await carol.history(conversationId);
    expect(Object.keys(edited ?? {})).toEqual(Object.keys(after ?? {}));
    expect(edited?.content).toBe('first');
    const extended = await carol.extendedHistory(conversationId);
    expect(extended[1]).toMatchObject({ content: 'first', revision: 1, edited_at });
    expect(Object.keys(extended[2] ?? {})).not.toContain('revision');
    const unread = await carol.getJson('/messages/new?extended=true', z.array(unreadMessageWithSeq));
    expect(unread.find((message) => message.id === id)).toMatchObject({ content: 'first', revision: 1 });
  });

  row('GET /messages/revisions', 'has the former texts, for those who may read the message', async () => {
    const { conversationId, id } = await written('one');
    const sent = (await alice.history(conversationId)).at(-1);
    expect(await revisions(bob, id)).toEqual([]);
    const { edited_at } = await edit(ofAlice, id, 'two');
    await edit(ofAlice, id, 'three');
    expect(await revisions(bob, id)).toEqual([
      { revision: 0, content: 'one', timestamp: sent?.timestamp },
      { revision: 1, content: 'two', timestamp: edited_at },
    ]);
    const dave = await chat.instance.join('dave');
    expect(await dave.getError(`/messages/revisions?id=${id}`)).toMatchObject({ code: 'not-found' });
    await alice.socket.request('delete-message', { id }, 'message-deleted');
    expect(await bob.getError(`/messages/revisions?id=${id}`)).toMatchObject({ code: 'not-found' });
  });

  it('has its former texts in pages', async () => {
    const { id } = await written('text 0');
    // As large as a page can hold only a few of.
    const text = (n: number) => `text ${n} ${'🐝'.repeat(3_900)}`;
    for (let n = 1; n <= 41; n += 1) await edit(ofAlice, id, text(n));
    const found: number[] = [];
    let path: string | undefined = `/messages/revisions?id=${id}`;
    let pages = 0;
    while (path !== undefined) {
      const response = await chat.instance.get(path, { Authorization: `Bearer ${bob.session.token}` });
      const page = z.array(messageRevision).parse(await response.json());
      for (const { revision, content } of page) {
        expect(content).toBe(revision === 0 ? 'text 0' : text(revision));
        found.push(revision);
      }
      pages += 1;
      path = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(found).toEqual(Array.from({ length: 41 }, (_, n) => n));
    expect(pages).toBe(2);
  });

  it('does nothing if the text is the same, and replies to this connection only', async () => {
    const { id } = await written('same');
    expect(await edit(ofAlice, id, 'same')).toMatchObject({ content: 'same', revision: 0 });
    await edit(ofAlice, id, 'other');
    const { edited_at } = await edit(ofAlice, id, 'other');
    expect(edited_at).toBe((await edit(ofAlice, id, 'other')).edited_at);
    expect(await revisions(alice, id)).toHaveLength(1);
    await ofBob.next('message-edited', (payload) => payload.id === id);
    await alice.say((await written()).conversationId, 'end');
    await ofBob.next('chat-message', ({ content }) => content === 'end');
    expect(ofBob.received('message-edited').filter((payload) => payload.id === id)).toHaveLength(1);
  });

  it('does not move the conversation in lists', async () => {
    const { conversationId, id } = await written();
    const before = await bob.conversation(conversationId);
    await edit(ofAlice, id, 'first');
    expect(await bob.conversation(conversationId)).toEqual(before);
    const extended = await bob.getJson(
      `/messages/conversation?id=${conversationId}&extended=true`,
      z.looseObject({ last_seq: z.int(), unread_count: z.int() }),
    );
    expect(extended).toMatchObject({ last_seq: 4, unread_count: 2 });
  });

  it('is sent to connections that missed it, with the message as it is now', async () => {
    const { conversationId, id } = await written();
    const { id: deleted } = await alice.say(conversationId, 'a mistake');
    const cursorOf = async (socket: ChatSocket) => {
      socket.send('authenticate', { token: bob.session.token });
      return (await socket.next('status', ({ cursor }) => cursor !== undefined)).payload.cursor;
    };
    const [away, plain] = [await bob.connect(rich), await bob.connect(['sync'])];
    const cursors = [await cursorOf(away), await cursorOf(plain)];
    await Promise.all([away.close(), plain.close()]);
    const { id: next } = await alice.say(conversationId, 'secnod');
    await edit(ofAlice, id, 'almost first');
    await edit(ofAlice, id, 'first');
    await edit(ofAlice, next, 'second');
    await edit(ofAlice, deleted, 'a worse mistake');
    await alice.socket.request('delete-message', { id: deleted }, 'message-deleted');
    const resume = async (capabilities: readonly Capability[], cursor: string | undefined) => {
      const socket = await chat.instance.openSocket();
      socket.send('authenticate', { token: bob.session.token, capabilities, resume: cursor });
      await socket.next('resume-complete');
      return socket;
    };
    const again = await resume(rich, cursors[0]);
    const edits = again.received('message-edited').filter((payload) => payload.conversation_id === conversationId);
    expect(edits).toMatchObject([
      // Former texts and deleted ones are not delivered any more.
      { id, content: 'first', revision: 2 },
      { id, content: 'first', revision: 2 },
      { id: next, content: 'second', revision: 1 },
    ]);
    expect(again.received('chat-message').at(-1)).toMatchObject({ id: next, content: 'second', revision: 1 });
    const plainAgain = await resume(['sync'], cursors[1]);
    expect(plainAgain.received('message-edited')).toEqual([]);
    const plainMessage = plainAgain.received('chat-message').at(-1);
    expect(plainMessage).toMatchObject({ id: next, content: 'second' });
    expect(plainMessage).not.toHaveProperty('revision');
  });

  it('is dated after the former text, also by a clock that was set back', async () => {
    const { conversationId, id } = await written();
    const later = `now() + interval '1 minute'`;
    await query(chat, `UPDATE message SET sent_at = ${later} WHERE id = '${id}'`);
    const sent = (await alice.extendedHistory(conversationId)).at(-1)?.timestamp ?? '';
    const first = await edit(ofAlice, id, 'first');
    const second = await edit(ofAlice, id, 'second');
    expect([sent, first.edited_at, second.edited_at]).toEqual([sent, first.edited_at, second.edited_at].toSorted());
    expect(new Set([sent, first.edited_at, second.edited_at]).size).toBe(3);
  });

  it('does not turn a repetition of the message into a conflict', async () => {
    const { id: conversation_id } = await alice.open('bob');
    const send = () =>
      ofAlice.request('chat-message', { conversation_id, message: 'hi', client_id: 'a' }, 'chat-message');
    const { id } = await send();
    await edit(ofAlice, id, 'hello');
    expect(await send()).toMatchObject({ id, content: 'hello', revision: 1 });
  });

  describe('is rejected', () => {
    it('for messages of others, deleted and unknown ones', async () => {
      const { id } = await written();
      expect(await editError(ofBob, id)).toBe('forbidden');
      const dave = await (await chat.instance.join('dave')).connect(rich);
      expect(await editError(dave, id)).toBe('not-found');
      await alice.socket.request('delete-message', { id }, 'message-deleted');
      expect(await editError(ofAlice, id)).toBe('not-found');
      expect(await editError(ofAlice, 'nothing')).toBe('not-found');
    });

    it.each([
      ['', 'invalid-frame'],
      ['\u0007', 'invalid-frame'],
      ['x'.repeat(4_001), 'too-large'],
    ])('for the text %j', async (text, code) => {
      const { conversationId, id } = await written('kept');
      expect(await editError(ofAlice, id, text)).toBe(code);
      expect((await alice.history(conversationId)).at(-1)?.content).toBe('kept');
    });

    it('without the capability, as a type that does not exist', async () => {
      const { id } = await written();
      expect(await editError(alice.socket, id)).toBe('unknown-type');
    });

    it('before the connection has authenticated, as any frame', async () => {
      const socket = await chat.instance.openSocket();
      expect(await editError(socket, 'any')).toBe('unauthenticated');
    });

    it('after the time for it', async () => {
      const { conversationId, id } = await written('old');
      await query(
        chat,
        `UPDATE message SET sent_at = sent_at - interval '24 hours 1 second' WHERE conversation_id = '${conversationId}'`,
      );
      expect(await editError(ofAlice, id)).toBe('too-late');
      expect(await edit(ofAlice, (await alice.say(conversationId, 'new')).id, 'newer')).toMatchObject({ revision: 1 });
    });

    it('in conversations that the sender has left or was removed from', async () => {
      const { conversationId: conversation_id, id } = await written();
      const { id: ofBobs } = await bob.say(conversation_id, 'mine');
      await bob.socket.request('leave-conversation', { conversation_id }, 'conversation-removed');
      expect(await editError(ofBob, ofBobs)).toBe('not-found');
      await alice.socket.request('leave-conversation', { conversation_id }, 'conversation-removed');
      expect(await editError(ofAlice, id)).toBe('not-found');
      const channel = await alice.createChannel('Bees');
      const said = await bob.say(channel.id, 'buzz');
      await bob.socket.request('leave-conversation', { conversation_id: channel.id }, 'conversation-removed');
      expect(await editError(ofBob, said.id)).toBe('forbidden');
      const { id: later } = await bob.say(channel.id, 'buzz');
      await alice.socket.request('remove-member', { conversation_id: channel.id, username: 'bob' }, 'member-removed');
      expect(await editError(ofBob, later)).toBe('forbidden');
    });

    it('in a dm in which the sender may not write', async () => {
      const erin = await chat.instance.join('erin');
      const { id: conversation_id } = await alice.open('erin');
      const { id } = await alice.say(conversation_id, 'hi');
      await erin.socket.request('block-user', { username: 'alice' }, 'user-blocked');
      expect(await editError(ofAlice, id)).toBe('blocked');
      await erin.socket.request('unblock-user', { username: 'alice' }, 'user-unblocked');
      await erin.postJson('/users/settings', { dm: { only_from_friends: true } }, z.looseObject({}));
      expect(await editError(ofAlice, id)).toBe('friends-only');
      expect((await erin.history(conversation_id)).at(-1)?.content).toBe('hi');
    });
  });
});

it('reaches other instances, and keeps no former texts if it is set so', async () => {
  const chat = await ChatUnderTest.startWithRedis({ messages: { keepsRevisions: false } });
  try {
    const other = await chat.addInstance({ messages: { keepsRevisions: false } });
    const alice = await chat.instance.join('alice');
    const bob = await other.join('bob');
    const [ofAlice, ofBob] = [await alice.connect(rich), await bob.connect(rich)];
    const { id: conversationId } = await alice.open('bob');
    const { id } = await alice.say(conversationId, 'frist');
    await ofAlice.request('edit-message', { id, message: 'first' }, 'message-edited');
    expect((await ofBob.next('message-edited')).payload).toMatchObject({ id, content: 'first' });
    expect(await bob.getJson(`/messages/revisions?id=${id}`, z.array(messageRevision))).toEqual([]);
    expect(await query(chat, 'SELECT FROM message_revision')).toBe(0);
  } finally {
    await chat.stop();
  }
});

/** Runs a statement on the database of a chat. @returns the number of rows */
async function query(chat: ChatUnderTest, text: string): Promise<number | null> {
  const client = new Client({ connectionString: chat.database.url });
  await client.connect();
  try {
    return (await client.query(text)).rowCount;
  } finally {
    await client.end();
  }
}
