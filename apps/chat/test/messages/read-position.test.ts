import { type Capability, extendedConversation, messageWithSeq, type ServerPayload } from '@waggle/contracts';
import { Pool } from 'pg';
import { z } from 'zod';
import { bearer, type ChatUser, jsonOf } from '../support/chat-client';
import { type ChatSocket } from '../support/chat-socket';
import { ChatUnderTest } from '../support/chat-under-test';

describe('the read position of an account', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let pool: Pool;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    pool = new Pool({ connectionString: chat.database.url });
    [alice, bob] = await Promise.all([chat.instance.join('alice'), chat.instance.join('bob')]);
  });
  afterAll(async () => {
    await pool.end();
    await chat.stop();
  });

  const extended = async (user: ChatUser, capabilities: Capability[], resume?: string) => {
    const socket = await chat.instance.openSocket();
    const status = await socket.request(
      'authenticate',
      { token: user.session.token, capabilities, resume },
      resume === undefined ? 'status' : 'resume-complete',
    );
    return { socket, cursor: status.cursor ?? '' };
  };
  /** A group of alice and bob, in which alice has written `message 1` and so on. */
  const groupWith = async (count: number): Promise<string> => {
    const { id } = await alice.open(['bob'], 'message 1');
    for (let n = 2; n <= count; n += 1) await alice.say(id, `message ${n}`);
    await bob.socket.next('chat-message', ({ content }) => content === `message ${count}`);
    return id;
  };
  const historyOf = (id: string, query = '') =>
    bob.getJson(`/messages/chats?conversation_id=${id}&extended=true${query}`, z.array(messageWithSeq));
  /** The sequence number of `message <n>`. */
  const seqOf = async (id: string, n: number) =>
    (await historyOf(id)).find(({ content }) => content === `message ${n}`)?.seq ?? NaN;
  const fetched = (id: string) => bob.getJson(`/messages/conversation?id=${id}&extended=true`, extendedConversation);
  const acknowledgeUpTo = (socket: ChatSocket, id: string, seq: number) =>
    socket.request('acknowledgment', { conversation_id: id, seq }, 'read-position');
  const ofConversation =
    (id: string) =>
    ({ conversation_id }: ServerPayload<'acknowledged' | 'messages-read' | 'read-position'>): boolean =>
      conversation_id === id;

  it('takes back no receipt, also if the account reads a part again', async () => {
    const carol = await chat.instance.join('carol');
    const { id } = await carol.open('bob', 'message 1');
    for (let n = 2; n <= 3; n += 1) await carol.say(id, `message ${n}`);
    const ofCarol = await carol.connect(['receipts']);
    const { socket } = await extended(bob, ['sync', 'read-position']);
    const read = await seqOf(id, 3);
    await acknowledgeUpTo(socket, id, read);
    expect((await ofCarol.next('messages-read', ofConversation(id))).payload.seq).toBe(read);
    const [first] = await historyOf(id);
    await socket.request('mark-unread', { id: first?.id }, 'read-position');
    await acknowledgeUpTo(socket, id, await seqOf(id, 2));
    expect((await ofCarol.next('messages-read', ofConversation(id))).payload.seq).toBe(read);
  });

  it('moves to the message that a client names, on all devices that know read positions', async () => {
    const id = await groupWith(5);
    const [{ socket }, { socket: other }] = await Promise.all([
      extended(bob, ['sync', 'read-position']),
      extended(bob, ['read-position']),
    ]);
    const { last_seq } = await fetched(id);
    const seq = await seqOf(id, 3);
    const position = { conversation_id: id, read_seq: seq, unread_count: 2, last_seq };
    expect(await acknowledgeUpTo(socket, id, seq)).toEqual(position);
    expect((await other.next('read-position', ofConversation(id))).payload).toEqual(position);
    expect(await fetched(id)).toMatchObject({ read_seq: seq, unread_count: 2, last_seq });
    expect((await bob.unread()).filter(ofConversation(id)).map(({ content }) => content)).toEqual([
      'message 4',
      'message 5',
    ]);
    expect((await historyOf(id)).map(({ read }) => read)).toEqual([true, true, true, false, false]);
    // It never moves back, and not beyond the last message.
    expect(await acknowledgeUpTo(socket, id, 0)).toEqual(position);
    expect(await acknowledgeUpTo(socket, id, last_seq + 100)).toMatchObject({ read_seq: last_seq, unread_count: 0 });
  });

  it('is told to other clients only when nothing is left unread', async () => {
    const id = await groupWith(3);
    const [{ socket }, { socket: synced }] = await Promise.all([
      extended(bob, ['sync', 'read-position']),
      extended(bob, ['sync']),
    ]);
    await acknowledgeUpTo(socket, id, await seqOf(id, 2));
    for (const each of [socket, synced, bob.socket]) {
      // The reply comes after everything that was sent before.
      await each.requestError('acknowledgment', {});
      expect(each.received('acknowledged').filter(ofConversation(id))).toEqual([]);
    }
    await acknowledgeUpTo(socket, id, await seqOf(id, 3));
    for (const each of [socket, synced, bob.socket]) await each.next('acknowledged', ofConversation(id));
    for (const each of [synced, bob.socket]) expect(each.received('read-position')).toEqual([]);
  });

  it('also follows acknowledgments without a sequence number, and such of clients that do not know it', async () => {
    const id = await groupWith(2);
    const { socket } = await extended(bob, ['read-position']);
    await bob.socket.request('acknowledgment', { conversation_id: id, seq: 'ignored' }, 'acknowledged');
    const { last_seq } = await fetched(id);
    expect((await socket.next('read-position', ofConversation(id))).payload).toMatchObject({ read_seq: last_seq });
    await alice.say(id, 'message 3');
    await socket.next('chat-message', ({ content }) => content === 'message 3');
    await socket.request('acknowledgment', { conversation_id: id }, 'acknowledged');
    expect(await fetched(id)).toMatchObject({ unread_count: 0 });
    for (const seq of ['2', -1, 1.5, null])
      expect((await socket.requestError('acknowledgment', { conversation_id: id, seq })).code).toBe('invalid-frame');
  });

  it('is sent to a client that resumes; others get `acknowledged` if nothing was left unread', async () => {
    const id = await groupWith(3);
    const seq = await seqOf(id, 2);
    const start = (capabilities: Capability[]) => extended(bob, capabilities);
    const clients = await Promise.all([start(['sync', 'read-position']), start(['sync'])]);
    for (const { socket } of clients) await socket.close();
    const { socket } = await extended(bob, ['read-position']);
    await acknowledgeUpTo(socket, id, seq);
    const [knows, others] = await Promise.all([
      extended(bob, ['sync', 'read-position'], clients[0].cursor),
      extended(bob, ['sync'], clients[1].cursor),
    ]);
    const { last_seq } = await fetched(id);
    expect(knows.socket.received('read-position').filter(ofConversation(id))).toEqual([
      { conversation_id: id, read_seq: seq, unread_count: 1, last_seq },
    ]);
    expect(others.socket.received('read-position')).toEqual([]);
    for (const each of [knows, others])
      expect(each.socket.received('acknowledged').filter(ofConversation(id))).toEqual([]);
    await acknowledgeUpTo(socket, id, await seqOf(id, 3));
    await alice.say(id, 'message 4');
    const again = await extended(bob, ['sync'], clients[1].cursor);
    expect(again.socket.received('acknowledged').filter(ofConversation(id))).toHaveLength(1);
  });

  it('with the messages after it leads to the first unread one, and on to the last', async () => {
    const id = await groupWith(7);
    const deleted = (await historyOf(id)).find(({ content }) => content === 'message 3');
    await alice.socket.request('delete-message', { id: deleted?.id }, 'message-deleted');
    const contentsOf = async (path: string) => {
      const response = await chat.instance.get(path, bearer(bob.session.token));
      const page = await jsonOf(response, z.array(messageWithSeq));
      const next = /<(.*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      return { contents: page.map(({ content }) => content), next };
    };
    const after = await seqOf(id, 2);
    const path = `/messages/chats?conversation_id=${id}&extended=true&limit=2&after_seq=${after}`;
    const first = await contentsOf(path);
    expect(first.contents).toEqual(['message 4', 'message 5']);
    const second = await contentsOf(first.next ?? '');
    expect(second).toEqual({ contents: ['message 6', 'message 7'], next: undefined });
    expect((await historyOf(id, '&after_seq=0')).map(({ content }) => content)).toEqual(
      [1, 2, 4, 5, 6, 7].map((n) => `message ${n}`),
    );
    expect(await historyOf(id, '&after_seq=1000')).toEqual([]);
    expect((await bob.getError(`/messages/chats?conversation_id=${id}&after_seq=x`)).statusCode).toBe(400);
    const carol = await chat.instance.join('carol');
    expect((await carol.getError(`/messages/chats?conversation_id=${id}&after_seq=0`)).statusCode).toBe(404);
  });

  it('counts what is unread exactly, and marks nothing for other clients that is not read, in every race', async () => {
    const { id } = await alice.open(['bob'], 'begin');
    const [{ socket }, { socket: plain }] = await Promise.all([
      extended(bob, ['sync', 'read-position']),
      extended(bob, []),
    ]);
    for (let round = 0; round < 20; round += 1) {
      for (let n = 0; n < 4; n += 1)
        alice.socket.send('chat-message', { conversation_id: id, message: `${round}-${n}` });
      const seen = await socket.nextMatching(({ type }) => type === 'chat-message');
      await acknowledgeUpTo(socket, id, seen.seq ?? NaN);
      await alice.say(id, `done ${round}`);
      for (const each of [socket, plain]) await each.next('chat-message', ({ content }) => content === `done ${round}`);
      const unread = (await bob.unread()).filter(ofConversation(id)).map((message) => message.id);
      const { frames } = socket;
      const last = frames.findLast(({ type }) => type === 'read-position')?.payload;
      if (last === undefined || !('unread_count' in last)) throw new Error('there was no read position');
      const later = frames.filter(({ type, seq = 0 }) => type === 'chat-message' && seq > last.last_seq);
      expect(last.unread_count + later.length).toBe(unread.length);
      const types = plain.frames.map(({ type }) => type);
      const since = plain.frames.slice(types.lastIndexOf('acknowledged') + 1);
      const shown = since.flatMap(({ type, payload }) =>
        type === 'chat-message' && 'id' in payload ? payload.id : [],
      );
      expect(shown).toEqual(expect.arrayContaining(unread));
    }
  });

  it('is sent although the database has lost what the connection received', async () => {
    const id = await groupWith(3);
    const { socket } = await extended(bob, ['sync', 'read-position']);
    const { last_seq } = await fetched(id);
    await pool.query('DELETE FROM message WHERE conversation_id = $1 AND seq = $2', [id, last_seq]);
    await pool.query('UPDATE conversation SET last_seq = last_seq - 1 WHERE id = $1', [id]);
    expect(await acknowledgeUpTo(socket, id, last_seq)).toMatchObject({ unread_count: 0, last_seq: last_seq - 1 });
  });

  it('moves back to a message that is marked as unread, without taking back the receipt', async () => {
    const { id } = await alice.open('bob', 'message 1');
    for (const n of [2, 3]) await alice.say(id, `message ${n}`);
    const [{ socket }, { socket: other }] = await Promise.all([
      extended(bob, ['read-position']),
      extended(bob, ['read-position']),
    ]);
    const { socket: ofAlice } = await extended(alice, ['receipts']);
    await socket.request('acknowledgment', { conversation_id: id }, 'acknowledged');
    await ofAlice.next('messages-read', ({ conversation_id }) => conversation_id === id);
    const [, second] = await historyOf(id);
    const { last_seq } = await fetched(id);
    const position = { conversation_id: id, read_seq: (second?.seq ?? NaN) - 1, unread_count: 2, last_seq };
    const markUnread = () => socket.request('mark-unread', { id: second?.id }, 'read-position');
    expect(await markUnread()).toEqual(position);
    expect(
      (await other.next('read-position', (payload) => ofConversation(id)(payload) && payload.unread_count === 2))
        .payload,
    ).toEqual(position);
    expect(await markUnread()).toEqual(position);
    expect(await fetched(id)).toMatchObject({ unread_count: 2 });
    expect((await alice.history(id)).map(({ read }) => read)).toEqual([true, true, true]);
    expect(await acknowledgeUpTo(socket, id, last_seq)).toMatchObject({ unread_count: 0 });
    expect(ofAlice.received('messages-read').filter(({ seq }) => seq < last_seq)).toEqual([]);
  });

  it('of a channel moves back for members only', async () => {
    const { id } = await alice.createChannel('Bees');
    const message = await alice.say(id, 'hello');
    await bob.conversation(id);
    const { socket } = await extended(bob, ['read-position']);
    expect((await socket.requestError('mark-unread', { id: message.id })).code).toBe('not-found');
    expect((await bob.socket.requestError('mark-unread', { id: message.id })).code).toBe('unknown-type');
  });
});
