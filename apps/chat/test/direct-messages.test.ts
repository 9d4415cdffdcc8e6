import { type Conversation, type Message } from '@waggle/contracts';
import { type ReceivedFrame, type WebSocketClient } from '@waggle/testing';
import { ChatUnderTest } from './chat-under-test';

const ulid = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/) as unknown;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;

describe('direct messages', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterAll(() => chat.stop());

  const members = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'];
  let pair = 0;
  /** Two accounts that have no dm yet. */
  const strangers = (): [string, string] => {
    const [first, second] = members.flatMap((a, i) => members.slice(i + 1).map((b) => [a, b]))[pair++] ?? [];
    if (first === undefined || second === undefined) throw new Error('no more pairs');
    return [first, second];
  };
  /** Two users connected, and the dm that the first has opened. */
  const dm = async (text = 'hello') => {
    const [one, two] = strangers();
    const a = await chat.instance.join(one);
    const b = await chat.instance.join(two);
    a.socket.send('create-conversation', { to: two, message: text });
    const created = await a.socket.next('conversation-created');
    const first = await a.socket.next('chat-message');
    await b.socket.next('conversation-created');
    await b.socket.next('chat-message');
    const close = () => Promise.all([a.socket.close(), b.socket.close()]);
    return { a, b, one, two, id: String(created.payload['id']), created, first, close };
  };
  const say = async (socket: WebSocketClient, conversation_id: string, message: string): Promise<ReceivedFrame> => {
    socket.send('chat-message', { conversation_id, message });
    return socket.next((frame) => frame.type === 'chat-message' && frame.payload['content'] === message);
  };

  describe('create-conversation', () => {
    it('makes a dm and its first message, told to both on all their sockets', async () => {
      const [one, two] = strangers();
      const a = await chat.instance.join(one);
      const b = await chat.instance.join(two);
      const second = await chat.instance.connect(b.session.ws_token);
      a.socket.send('create-conversation', { to: two, message: 'hello' });
      for (const socket of [a.socket, b.socket, second]) {
        const created = await socket.next('conversation-created');
        expect(created).toEqual({
          type: 'conversation-created',
          payload: {
            id: ulid,
            type: 'dm',
            creator: one,
            members: [one, two].sort(),
            moderators: [],
            blocked: false,
            created_at: time,
            updated_at: time,
          },
        });
        expect(await socket.next('chat-message')).toEqual({
          type: 'chat-message',
          payload: {
            id: ulid,
            conversation_id: created.payload['id'],
            from: one,
            to: two,
            content: 'hello',
            timestamp: time,
            read: false,
          },
        });
        await socket.close();
      }
    });

    it('answers the dm that is there and appends the message', async () => {
      const { a, b, two, id, created, close } = await dm('first');
      a.socket.send('create-conversation', { to: two, message: 'second' }, { ref: 1 });
      const again = await a.socket.next('conversation-created');
      expect(again).toMatchObject({ ref: 1, payload: { ...created.payload, updated_at: time } });
      expect(await a.socket.next('chat-message')).toMatchObject({
        ref: 1,
        payload: { conversation_id: id, content: 'second' },
      });
      expect((await b.socket.next('chat-message')).payload['content']).toBe('second');
      expect(b.socket.frames.filter(({ type }) => type === 'conversation-created')).toHaveLength(1);
      await close();
    });

    it('makes one dm for a pair, however many create it at once', async () => {
      const [one, two] = strangers();
      const a = await chat.instance.join(one);
      const b = await chat.instance.join(two);
      const sockets = [a.socket, b.socket];
      for (let i = 0; i < 20; i += 1) {
        a.socket.send('create-conversation', { to: two, message: `from one ${i}` });
        b.socket.send('create-conversation', { to: one, message: `from two ${i}` });
      }
      for (const socket of sockets) for (let i = 0; i < 40; i += 1) await socket.next('chat-message');
      const ids = new Set(
        sockets.flatMap(({ frames }) => frames.map(({ payload }) => payload['conversation_id'] ?? payload['id'])),
      );
      ids.delete(undefined);
      expect(ids.size).toBe(1);
      const contents = sockets.map(({ frames }) =>
        frames.filter(({ type }) => type === 'chat-message').map(({ payload }) => payload['content']),
      );
      expect(contents[0]).toEqual(contents[1]);
      const history = await chat.instance.getJson<Message[]>(
        `/messages/chats?conversation_id=${String([...ids][0])}`,
        a.session.token,
      );
      expect(history.map(({ content }) => content)).toEqual(contents[0]);
      await Promise.all(sockets.map((socket) => socket.close()));
    });

    it.each([
      ['oneself', 'alice', 'forbidden'],
      ['an account that is not on the chain', 'nobody-here', 'account-not-found'],
      ['what cannot be an account', 'Not A Name', 'account-not-found'],
    ])('refuses a dm with %s', async (_who, to, code) => {
      const { socket } = await chat.instance.join('alice');
      socket.send('create-conversation', { to, message: 'hello' }, { ref: 'x' });
      expect(await socket.next('error')).toEqual({
        type: 'error',
        ref: 'x',
        payload: { code, message: expect.any(String), request_type: 'create-conversation', ref: 'x' },
      });
      await socket.close();
    });

    it('makes a group of the listed accounts and its creator, once each', async () => {
      const [a, b, c] = await Promise.all(['alice', 'bob', 'carol'].map((name) => chat.instance.join(name)));
      a?.socket.send('create-conversation', { to: ['bob', 'carol', 'bob', 'alice'], message: 'all of you' });
      for (const user of [a, b, c]) {
        const created = await user?.socket.next(
          (frame) => frame.type === 'conversation-created' && frame.payload['type'] === 'group',
        );
        expect(created?.payload).toMatchObject({
          creator: 'alice',
          members: ['alice', 'bob', 'carol'],
          moderators: [],
        });
        expect(created?.payload).not.toHaveProperty('name');
        const message = await user?.socket.next((frame) => frame.payload['content'] === 'all of you');
        expect(message?.payload).toMatchObject({ from: 'alice', to: null, read: user === a });
      }
      for (const user of [a, b, c]) await user?.socket.close();
    });
  });

  describe('chat-message', () => {
    it('reaches both sides on all their sockets, and the answer carries ref', async () => {
      const { a, b, one, two, id, close } = await dm();
      const second = await chat.instance.connect(a.session.ws_token);
      a.socket.send('chat-message', { conversation_id: id, to: two, message: 'hi' }, { ref: 'my-1' });
      const payload = {
        id: ulid,
        conversation_id: id,
        from: one,
        to: two,
        content: 'hi',
        timestamp: time,
        read: false,
      };
      expect(await a.socket.next('chat-message')).toEqual({ type: 'chat-message', ref: 'my-1', payload });
      expect(await second.next('chat-message')).toEqual({ type: 'chat-message', payload });
      expect(await b.socket.next('chat-message')).toEqual({ type: 'chat-message', payload });
      await second.close();
      await close();
    });

    it('makes the dm with `to` where there is none', async () => {
      const [one, two] = strangers();
      const a = await chat.instance.join(one);
      const b = await chat.instance.join(two);
      a.socket.send('chat-message', { to: two, conversation_id: '', message: 'out of the blue' });
      for (const { socket } of [a, b]) {
        const created = await socket.next('conversation-created');
        expect((await socket.next('chat-message')).payload).toMatchObject({
          conversation_id: created.payload['id'],
          to: two,
        });
        await socket.close();
      }
    });

    it('goes into the dm with `to` where no conversation is named', async () => {
      const { a, b, one, id, close } = await dm();
      b.socket.send('chat-message', { to: one, message: 'back to you' });
      expect((await a.socket.next('chat-message')).payload).toMatchObject({
        conversation_id: id,
        content: 'back to you',
      });
      await close();
    });

    it.each([
      ['a conversation that is not there', { conversation_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 'not-found'],
      ['an account that is not there', { to: 'nobody-here' }, 'account-not-found'],
      ['what is no name', { to: 'No\0Name' }, 'account-not-found'],
      ['a list', { to: ['bob'] }, 'invalid-frame'],
      ['oneself', { to: 'alice' }, 'forbidden'],
      ['neither conversation nor account', {}, 'invalid-frame'],
      ['an identifier that is none', { conversation_id: "x' OR '1'='1" }, 'invalid-frame'],
    ])('is refused for %s', async (_what, target, code) => {
      const { socket } = await chat.instance.join('alice');
      socket.send('chat-message', { ...target, message: 'hello' });
      expect((await socket.next('error')).payload).toMatchObject({ code, request_type: 'chat-message' });
      await socket.close();
    });

    it("is refused in somebody else's dm as if it were not there, and when `to` is not the other member", async () => {
      const { a, two, one, id, close } = await dm();
      const outsider = members.find((name) => name !== one && name !== two) ?? '';
      const { socket } = await chat.instance.join(outsider);
      socket.send('chat-message', { conversation_id: id, message: 'let me in' });
      expect((await socket.next('error')).payload['code']).toBe('not-found');
      for (const to of [outsider, one, 'a\0b', [two], {}]) {
        a.socket.send('chat-message', { conversation_id: id, to, message: 'astray' });
        expect((await a.socket.next('error')).payload['code']).toBe('forbidden');
      }
      const history = await chat.instance.getJson<Message[]>(`/messages/chats?conversation_id=${id}`, a.session.token);
      expect(history.map(({ content }) => content)).toEqual(['hello']);
      await socket.close();
      await close();
    });

    it('keeps the text exactly', async () => {
      const { a, id, close } = await dm();
      for (const text of [
        '  blanks kept  ',
        'línea\nnueva',
        '🐝 😀',
        '<b>&amp;</b>',
        '"quotes" \\ \u2028',
        '‮rtl',
        'x'.repeat(4_000),
      ]) {
        await say(a.socket, id, text);
      }
      const history = await chat.instance.getJson<Message[]>(
        `/messages/chats?conversation_id=${id}&limit=1`,
        a.session.token,
      );
      expect(history[0]?.content).toHaveLength(4_000);
      await close();
    });
  });

  describe('acknowledgment', () => {
    it('is answered each time, to all sockets of the acknowledging user and to nobody else', async () => {
      const { a, b, id, close } = await dm();
      const second = await chat.instance.connect(b.session.ws_token);
      b.socket.send('acknowledgment', { conversation_id: id }, { ref: 5 });
      b.socket.send('acknowledgment', { conversation_id: id }, { ref: 6 });
      const payload = { conversation_id: id };
      expect(await b.socket.next('acknowledged')).toEqual({ type: 'acknowledged', ref: 5, payload });
      expect(await b.socket.next('acknowledged')).toEqual({ type: 'acknowledged', ref: 6, payload });
      expect(await second.next('acknowledged')).toEqual({ type: 'acknowledged', payload });
      await say(a.socket, id, 'after it');
      expect(a.socket.frames.map(({ type }) => type)).not.toContain('acknowledged');
      await second.close();
      await close();
    });

    it('makes messages read: for the sender in history, for the reader in history and in /messages/new', async () => {
      const { a, b, one, two, id, close } = await dm('one');
      await say(a.socket, id, 'two');
      const read = async (token: string) =>
        (await chat.instance.getJson<Message[]>(`/messages/chats?conversation_id=${id}`, token)).map(
          ({ content, read }) => [content, read],
        );
      const unread = async (token = b.session.token) =>
        (await chat.instance.getJson<Message[]>('/messages/new', token)).filter(
          ({ conversation_id }) => conversation_id === id,
        );
      expect(await unread()).toEqual(
        ['one', 'two'].map((content) => ({
          id: ulid,
          conversation_id: id,
          from: one,
          to: two,
          content,
          timestamp: time,
        })),
      );
      expect(await read(a.session.token)).toEqual([
        ['one', false],
        ['two', false],
      ]);

      b.socket.send('acknowledgment', { conversation_id: id });
      await b.socket.next('acknowledged');
      await say(a.socket, id, 'three');
      expect(await read(a.session.token)).toEqual([
        ['one', true],
        ['two', true],
        ['three', false],
      ]);
      expect(await read(b.session.token)).toEqual([
        ['one', true],
        ['two', true],
        ['three', false],
      ]);
      expect((await unread()).map(({ content }) => content)).toEqual(['three']);
      expect(await unread(a.session.token)).toEqual([]);
      await close();
    });

    it("is refused for what is not there or somebody else's", async () => {
      const { id, one, two, close } = await dm();
      const { socket } = await chat.instance.join(members.find((name) => name !== one && name !== two) ?? '');
      for (const conversation_id of [id, '01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
        socket.send('acknowledgment', { conversation_id });
        expect((await socket.next('error')).payload['code']).toBe('not-found');
      }
      await socket.close();
      await close();
    });
  });

  describe('listing', () => {
    it('gives the conversations of the caller, exactly as they were told', async () => {
      const { a, b, id, created, close } = await dm();
      for (const { session } of [a, b]) {
        const list = await chat.instance.getJson<Conversation[]>('/messages/conversations', session.token);
        expect(list.find((conversation) => conversation.id === id)).toEqual(created.payload);
        expect(await chat.instance.getJson(`/messages/conversation?id=${id}`, session.token)).toEqual(created.payload);
      }
      await close();
    });

    it("gives several conversations in the order asked, without those that are not the caller's", async () => {
      const { socket, session } = await chat.instance.join('judy');
      const ids: string[] = [];
      for (const name of ['alice', 'bob', 'carol']) {
        socket.send('create-conversation', { to: [name], message: 'hello' });
        ids.push(String((await socket.next('conversation-created')).payload['id']));
      }
      const foreign = await dm();
      const asked = [ids[2], foreign.id, ids[0], '01ARZ3NDEKTSV4RRFFQ69G5FAV', ids[1], ids[0]];
      const list = await chat.instance.getJson<Conversation[]>(
        `/messages/conversation?ids=${asked.join(',')}`,
        session.token,
      );
      expect(list.map(({ id }) => id)).toEqual([ids[2], ids[0], ids[1]]);
      const one = await chat.instance.getJson<Conversation[]>(
        `/messages/conversation?ids=${String(ids[0])}`,
        session.token,
      );
      expect(one.map(({ id }) => id)).toEqual([ids[0]]);
      await socket.close();
      await foreign.close();
    });

    it("answers 404 for a conversation that is not there or not the caller's", async () => {
      const { id, one, two, close } = await dm();
      const { token } = await chat.instance.logIn(members.find((name) => name !== one && name !== two) ?? '');
      for (const path of [
        `/messages/conversation?id=${id}`,
        `/messages/chats?conversation_id=${id}`,
        '/messages/conversation?id=01ARZ3NDEKTSV4RRFFQ69G5FAV',
      ]) {
        const response = await chat.instance.get(path, { Authorization: token });
        expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ code: 'not-found' })]);
      }
      await close();
    });

    it.each([
      ['/messages/conversation', 'id'],
      ['/messages/conversation?id=a%20b', 'id'],
      ['/messages/conversation?ids=%27', 'ids'],
      ['/messages/chats', 'conversation_id'],
      ['/messages/chats?conversation_id=01J&limit=0', 'limit'],
      ['/messages/chats?conversation_id=01J&before=yesterday', 'before'],
    ])('names the parameter at fault: %s', async (path, field) => {
      const { token } = await chat.instance.logIn('alice');
      const response = await chat.instance.get(path, { Authorization: token });
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'invalid-request', message: expect.stringContaining(field) }),
      ]);
    });
  });
});
