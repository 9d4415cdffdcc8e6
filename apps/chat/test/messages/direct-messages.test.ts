import { conversation, unreadMessage } from '@waggle/contracts';
import { Client } from 'pg';
import { z } from 'zod';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';

const ulid = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/) as unknown;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;

describe('direct messages', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterEach(() => chat.instance.close());
  afterAll(() => chat.stop());

  const members = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'];
  let pair = 0;
  /** Two accounts that have no dm yet. */
  const strangers = (): [string, string] => {
    const [first, second] = members.flatMap((a, i) => members.slice(i + 1).map((b) => [a, b]))[pair++] ?? [];
    if (first === undefined || second === undefined) throw new Error('no more pairs');
    return [first, second];
  };
  /** Two users connected, and the dm that the first opened. */
  const dm = async (text = 'hello') => {
    const [one, two] = strangers();
    const a = await chat.instance.join(one);
    const b = await chat.instance.join(two);
    const created = await a.open(two, text);
    await b.socket.next('conversation-created');
    await b.socket.next('chat-message');
    const outsider = members.find((name) => name !== one && name !== two) ?? '';
    return { a, b, one, two, id: created.id, created, outsider };
  };

  describe('create-conversation', () => {
    row(
      ['frame create-conversation', 'event conversation-created', 'event chat-message'],
      'creates a dm and its first message, and sends them to both accounts on all their sockets',
      async () => {
        const [one, two] = strangers();
        const a = await chat.instance.join(one);
        const b = await chat.instance.join(two);
        const second = await b.connect();
        a.socket.send('create-conversation', { to: two, message: 'hello' });
        for (const socket of [a.socket, b.socket, second]) {
          const created = await socket.next('conversation-created');
          expect(created).toEqual({
            type: 'conversation-created',
            payload: {
              id: ulid,
              type: 'dm',
              creator: one,
              members: [two, one],
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
              conversation_id: created.payload.id,
              from: one,
              to: two,
              content: 'hello',
              timestamp: time,
              read: false,
            },
          });
        }
      },
    );

    row(
      ['resource conversation', 'GET /messages/members'],
      'lists the other member of a dm and then its creator, to both and everywhere, also after one of them has left',
      async () => {
        const { a, b, one, two, id, created } = await dm();
        const expectOrder = async () => {
          for (const user of [a, b]) {
            expect((await user.conversation(id)).members).toEqual([two, one]);
            expect((await user.conversations()).find((each) => each.id === id)?.members).toEqual([two, one]);
            expect(await user.getJson(`/messages/members?conversation_id=${id}`, z.array(z.string()))).toEqual([
              two,
              one,
            ]);
          }
        };
        expect(created.members).toEqual([two, one]);
        await expectOrder();
        for (const [leaving, staying] of [
          [b, a],
          [a, b],
        ] as const) {
          await leaving.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
          await staying.say(id, 'come back');
          expect((await leaving.socket.next('conversation-created')).payload).toMatchObject({ members: [two, one] });
          await expectOrder();
        }
      },
    );

    it('replies with the existing dm and appends the message', async () => {
      const { a, b, two, id, created } = await dm('first');
      a.socket.send('create-conversation', { to: two, message: 'second' }, { ref: 1 });
      const again = await a.socket.next('conversation-created');
      expect(again).toMatchObject({ ref: 1, payload: { ...created, updated_at: time } });
      expect(await a.socket.next('chat-message')).toMatchObject({
        ref: 1,
        payload: { conversation_id: id, content: 'second' },
      });
      expect((await b.socket.next('chat-message')).payload.content).toBe('second');
      expect(b.socket.received('conversation-created')).toHaveLength(1);
    });

    it('creates one dm for a pair, however many requests arrive at once', async () => {
      const [one, two] = strangers();
      const a = await chat.instance.join(one);
      const b = await chat.instance.join(two);
      const sockets = [a.socket, b.socket];
      for (let i = 0; i < 20; i += 1) {
        a.socket.send('create-conversation', { to: two, message: `from one ${i}` });
        b.socket.send('create-conversation', { to: one, message: `from two ${i}` });
      }
      for (const socket of sockets) for (let i = 0; i < 40; i += 1) await socket.next('chat-message');
      const ids = new Set(sockets.flatMap((socket) => socket.received('conversation-created').map(({ id }) => id)));
      expect(ids.size).toBe(1);
      const delivered = sockets.map((socket) => socket.received('chat-message').map(({ content }) => content));
      expect(delivered[0]).toEqual(delivered[1]);
      const history = await a.history([...ids][0] ?? '');
      expect(history.map(({ content }) => content)).toEqual(delivered[0]);
    });

    it.each([
      ['oneself', 'alice', 'forbidden'],
      ['an account that is not on the chain', 'nobody-here', 'account-not-found'],
      ['what cannot be an account', 'Not A Name', 'account-not-found'],
    ])('rejects a dm with %s', async (_who, to, code) => {
      const { socket } = await chat.instance.join('alice');
      socket.send('create-conversation', { to, message: 'hello' }, { ref: 'x' });
      expect(await socket.next('error')).toEqual({
        type: 'error',
        ref: 'x',
        payload: { code, message: expect.any(String), request_type: 'create-conversation', ref: 'x' },
      });
    });

    row(
      ['frame create-conversation', 'event conversation-created', 'event chat-message', 'resource message'],
      'makes a group of the listed accounts and its creator, once each',
      async () => {
        const users = await Promise.all(['alice', 'bob', 'carol'].map((name) => chat.instance.join(name)));
        users[0]?.socket.send('create-conversation', { to: ['bob', 'carol', 'bob', 'alice'], message: 'all of you' });
        for (const { account, socket } of users) {
          const { payload: created } = await socket.next('conversation-created');
          expect(created).toMatchObject({ type: 'group', creator: 'alice', moderators: [] });
          expect(created.members).toEqual(['bob', 'carol', 'alice']);
          expect(created).not.toHaveProperty('name');
          const { payload: message } = await socket.next('chat-message');
          expect(message).toMatchObject({ content: 'all of you', from: 'alice', to: null, read: account === 'alice' });
        }
      },
    );
  });

  describe('chat-message', () => {
    row(
      ['frame chat-message', 'event chat-message', 'resource message'],
      'reaches both accounts on all their sockets, and the reply carries ref',
      async () => {
        const { a, b, one, two, id } = await dm();
        const second = await a.connect();
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
      },
    );

    it('creates the dm with `to` if there is none', async () => {
      const [one, two] = strangers();
      const a = await chat.instance.join(one);
      const b = await chat.instance.join(two);
      a.socket.send('chat-message', { to: two, conversation_id: '', message: 'out of the blue' });
      for (const { socket } of [a, b]) {
        const created = await socket.next('conversation-created');
        expect((await socket.next('chat-message')).payload).toMatchObject({
          conversation_id: created.payload.id,
          to: two,
        });
      }
    });

    it('is sent to the dm with `to` if there is no conversation_id', async () => {
      const { a, b, one, id } = await dm();
      b.socket.send('chat-message', { to: one, message: 'back to you' });
      expect((await a.socket.next('chat-message')).payload).toMatchObject({
        conversation_id: id,
        content: 'back to you',
      });
    });

    it.each([
      ['a conversation that is not there', { conversation_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 'not-found'],
      ['an account that is not there', { to: 'nobody-here' }, 'account-not-found'],
      ['what is no name', { to: 'No\0Name' }, 'account-not-found'],
      ['a list', { to: ['bob'] }, 'invalid-frame'],
      ['oneself', { to: 'alice' }, 'forbidden'],
      ['neither conversation nor account', {}, 'invalid-frame'],
      ['an identifier that is none', { conversation_id: "x' OR '1'='1" }, 'invalid-frame'],
    ])('is rejected for %s', async (_what, target, code) => {
      const { socket } = await chat.instance.join('alice');
      socket.send('chat-message', { ...target, message: 'hello' });
      expect((await socket.next('error')).payload).toMatchObject({ code, request_type: 'chat-message' });
    });

    row('frame chat-message', 'is rejected in a dm of other accounts as if that did not exist', async () => {
      const { a, id, outsider } = await dm();
      const { socket } = await chat.instance.join(outsider);
      const letMeIn = { conversation_id: id, message: 'let me in' };
      expect((await socket.requestError('chat-message', letMeIn)).code).toBe('not-found');
      const history = await a.history(id);
      expect(history.map(({ content }) => content)).toEqual(['hello']);
    });

    row('frame chat-message', 'is sent to the other member of its dm, regardless of `to`', async () => {
      const { a, b, two, one, id, outsider } = await dm();
      for (const to of [outsider, one, 'a\0b', [two], {}, 0, null]) {
        const frame = { conversation_id: id, to, message: `to ${JSON.stringify(to)}` };
        const said = await a.socket.request('chat-message', frame, 'chat-message');
        expect(said).toMatchObject({ conversation_id: id, to: two, content: frame.message });
        expect((await b.socket.next('chat-message')).payload).toEqual(said);
      }
    });

    row('limit message text', 'preserves the text exactly', async () => {
      const { a, b, id } = await dm();
      const texts = [
        'x',
        '  blanks kept  ',
        'línea\nnueva',
        'from\tWindows\r\n',
        '🐝 😀 🏳️‍🌈',
        'می\u200Cخواهم',
        '<b>&amp;</b>',
        '"quotes" \\ \u2028',
        '‮rtl',
        'x'.repeat(4_000),
      ];
      for (const text of texts) expect((await a.say(id, text)).content).toBe(text);
      for (const text of texts) expect(await b.nextText()).toBe(text);
      expect((await b.history(id)).map(({ content }) => content)).toEqual(['hello', ...texts]);
    });
  });

  describe('acknowledgment', () => {
    row(
      ['frame acknowledgment', 'event acknowledged'],
      'replies each time, to all sockets of the acknowledging user and to no one else',
      async () => {
        const { a, b, id } = await dm();
        const second = await b.connect();
        b.socket.send('acknowledgment', { conversation_id: id }, { ref: 5 });
        b.socket.send('acknowledgment', { conversation_id: id }, { ref: 6 });
        const payload = { conversation_id: id };
        expect(await b.socket.next('acknowledged')).toEqual({ type: 'acknowledged', ref: 5, payload });
        expect(await b.socket.next('acknowledged')).toEqual({ type: 'acknowledged', ref: 6, payload });
        expect(await second.next('acknowledged')).toEqual({ type: 'acknowledged', payload });
        await a.say(id, 'after it');
        expect(a.socket.frames.map(({ type }) => type)).not.toContain('acknowledged');
      },
    );

    row(
      ['transition unread → read', 'GET /messages/new', 'resource message'],
      'makes messages read: for the sender in history, for the reader in history and in /messages/new',
      async () => {
        const { a, b, one, two, id } = await dm('one');
        await a.say(id, 'two');
        const read = async (user: ChatUser) => (await user.history(id)).map(({ content, read }) => [content, read]);
        const unread = async (user: ChatUser) =>
          (await user.getJson('/messages/new', z.array(unreadMessage))).filter((each) => each.conversation_id === id);
        expect(await unread(b)).toEqual(
          ['one', 'two'].map((content) => ({
            id: ulid,
            conversation_id: id,
            from: one,
            to: two,
            content,
            timestamp: time,
          })),
        );
        expect(await read(a)).toEqual([
          ['one', false],
          ['two', false],
        ]);

        await b.socket.request('acknowledgment', { conversation_id: id }, 'acknowledged');
        await a.say(id, 'three');
        expect(await read(a)).toEqual([
          ['one', true],
          ['two', true],
          ['three', false],
        ]);
        expect(await read(b)).toEqual([
          ['one', true],
          ['two', true],
          ['three', false],
        ]);
        expect((await unread(b)).map(({ content }) => content)).toEqual(['three']);
        expect(await unread(a)).toEqual([]);
      },
    );

    it('is rejected for unknown conversations and those of other accounts', async () => {
      const { id, outsider } = await dm();
      const { socket } = await chat.instance.join(outsider);
      for (const conversation_id of [id, '01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
        expect((await socket.requestError('acknowledgment', { conversation_id })).code).toBe('not-found');
      }
    });
  });

  describe('listing', () => {
    row(
      ['GET /messages/conversations', 'GET /messages/conversation'],
      'returns the conversations of the caller, and one by its id, equal to their events',
      async () => {
        const { a, b, id, created } = await dm();
        for (const user of [a, b]) {
          expect((await user.conversations()).find((each) => each.id === id)).toEqual(created);
          expect(await user.getJson(`/messages/conversation?id=${id}`, conversation)).toEqual(created);
        }
      },
    );

    row(
      'GET /messages/conversation',
      "gives several conversations in the order asked, without those that are not the caller's",
      async () => {
        const judy = await chat.instance.join('judy');
        const own: string[] = [];
        for (const name of ['alice', 'bob', 'carol']) own.push((await judy.open([name])).id);
        const [first, second, third] = own;
        const foreign = await dm();
        const list = async (...ids: (string | undefined)[]) =>
          (await judy.getJson(`/messages/conversation?ids=${ids.join(',')}`, z.array(conversation))).map(
            ({ id }) => id,
          );
        const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
        expect(await list(third, foreign.id, first, nowhere, second, first)).toEqual([third, first, second]);
        expect(await list(first)).toEqual([first]);
      },
    );

    row(
      ['GET /messages/chats', 'GET /messages/new', 'limit history page', 'limit unread messages'],
      '50 messages unless asked for more, 200 at most; the newest 1,000 unread ones, the oldest of them first',
      async () => {
        const { a, b, two, id } = await dm('the first');
        const database = new Client({ connectionString: chat.database.url });
        await database.connect();
        await database.query(
          `INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at)
           SELECT $1, n + 1, $1 || n, $2, $3, n::text, now() + n * interval '1 millisecond' FROM generate_series(2, 1101) n`,
          [id, a.account, two],
        );
        await database.query('UPDATE conversation SET last_seq = 1102 WHERE id = $1', [id]);
        await database.end();
        const newest = (count: number) => Array.from({ length: count }, (_, i) => String(1_102 - count + i));
        const page = async (query?: string) => (await b.history(id, query)).map(({ content }) => content);
        expect(await page()).toEqual(newest(50));
        expect(await page('&limit=7')).toEqual(newest(7));
        for (const limit of [200, 201, 999_999]) expect(await page(`&limit=${limit}`)).toEqual(newest(200));
        const [oldest] = await b.history(id);
        if (oldest === undefined) throw new Error('no messages');
        expect(oldest).toMatchObject({ content: '1052', read: false });
        for (const before of [oldest.timestamp, Date.parse(oldest.timestamp)]) {
          expect(await page(`&limit=3&before=${before}`)).toEqual(['1049', '1050', '1051']);
        }
        const unread = (await b.unread()).filter((message) => message.conversation_id === id);
        expect(unread.map(({ content }) => content)).toEqual(newest(1_000));
        expect(await b.unread()).toHaveLength(1_000);
      },
    );

    row(
      ['GET /messages/conversation', 'GET /messages/chats'],
      "returns 404 for a conversation that is not there or not the caller's",
      async () => {
        const { id, outsider } = await dm();
        const user = await chat.instance.join(outsider);
        for (const path of [
          `/messages/conversation?id=${id}`,
          `/messages/chats?conversation_id=${id}`,
          '/messages/conversation?id=01ARZ3NDEKTSV4RRFFQ69G5FAV',
        ]) {
          expect(await user.getError(path)).toMatchObject({ statusCode: 404, code: 'not-found' });
        }
      },
    );

    it.each([
      ['/messages/conversation', 'id'],
      ['/messages/conversation?id=a%20b', 'id'],
      ['/messages/conversation?ids=%27', 'ids'],
      ['/messages/chats', 'conversation_id'],
      ['/messages/chats?conversation_id=01J&limit=0', 'limit'],
      ['/messages/chats?conversation_id=01J&before=yesterday', 'before'],
    ])('names the invalid parameter: %s', async (path, field) => {
      const { token } = await chat.instance.logIn('alice');
      expect(await chat.instance.getError(path, { Authorization: token })).toMatchObject({
        statusCode: 400,
        code: 'invalid-request',
        message: expect.stringContaining(field),
      });
    });
  });
});
