import { type Message } from '@waggle/contracts';
import { Client } from 'pg';
import { ChatUnderTest } from './chat-under-test';

/** So many sockets of the two accounts write at the same time, so many messages each. */
const senders = 50;
const messagesEach = 20;

describe(`a conversation that ${senders} sockets write into at once`, () => {
  let chat: ChatUnderTest;
  let token: string;
  let conversationId: string;
  let seenByAlice: Message[];
  let seenByBob: Message[];

  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    const alice = await chat.instance.join('alice');
    const bob = await chat.instance.join('bob');
    token = alice.session.token;
    alice.socket.send('create-conversation', { to: 'bob', message: 'first' });
    conversationId = String((await bob.socket.next('conversation-created')).payload['id']);

    const sockets = await Promise.all(
      Array.from({ length: senders }, (_, i) => chat.instance.connect((i % 2 === 0 ? alice : bob).session.ws_token)),
    );
    for (let n = 0; n < messagesEach; n += 1) {
      sockets.forEach((socket, i) => {
        socket.send('chat-message', { conversation_id: conversationId, message: `${i}:${n}` });
      });
    }
    const total = 1 + senders * messagesEach;
    const receive = async ({ socket }: typeof alice) => {
      const messages: Message[] = [];
      while (messages.length < total)
        messages.push((await socket.next('chat-message', 30_000)).payload as unknown as Message);
      return messages;
    };
    [seenByAlice, seenByBob] = await Promise.all([receive(alice), receive(bob)]);
    await Promise.all([alice.socket, bob.socket, ...sockets].map((socket) => socket.close()));
  }, 60_000);
  afterAll(() => chat.stop());

  const page = (query: string) =>
    chat.instance.getJson<Message[]>(`/messages/chats?conversation_id=${conversationId}&${query}`, token);

  it('shows both sides the same messages in the same order', () => {
    expect(seenByAlice).toEqual(seenByBob);
    expect(new Set(seenByAlice.map(({ id }) => id)).size).toBe(1 + senders * messagesEach);
  });

  it('gives every message a later time than the one before', () => {
    const times = seenByAlice.map(({ timestamp }) => Date.parse(timestamp));
    expect(times.every((time, i) => i === 0 || time > (times[i - 1] ?? Infinity))).toBe(true);
  });

  it('goes on with later times when the clock goes back', async () => {
    const database = new Client({ connectionString: chat.database.url });
    await database.connect();
    const ahead = await database.query<{ at: Date }>(
      `UPDATE conversation SET last_message_at = last_message_at + interval '1 hour' RETURNING last_message_at AS at`,
    );
    await database.end();
    const { socket } = await chat.instance.join('alice');
    const times: number[] = [];
    for (const message of ['after', 'the', 'clock']) {
      socket.send('chat-message', { conversation_id: conversationId, message });
      times.push(Date.parse(String((await socket.next('chat-message')).payload['timestamp'])));
    }
    const from = ahead.rows[0]?.at.getTime() ?? 0;
    expect(times).toEqual([from + 1, from + 2, from + 3]);
    await socket.close();
  });

  it('keeps the order in which each socket wrote', () => {
    for (let i = 0; i < senders; i += 1) {
      const own = seenByAlice.map(({ content }) => content).filter((content) => content.startsWith(`${i}:`));
      expect(own).toEqual(Array.from({ length: messagesEach }, (_, n) => `${i}:${n}`));
    }
  });

  it.each([1, 7, 50, 199, 200])(
    'gives each message exactly once, paged by before with limit %d',
    async (limit) => {
      const all: Message[] = [];
      let before = '';
      for (;;) {
        const messages = await page(`limit=${limit}${before}`);
        expect(messages.length).toBeLessThanOrEqual(limit);
        const [oldest] = messages;
        if (oldest === undefined) break;
        all.unshift(...messages);
        // Clients use both forms.
        before = `&before=${limit % 2 === 0 ? oldest.timestamp : String(Date.parse(oldest.timestamp))}`;
      }
      expect(all.slice(0, seenByAlice.length)).toEqual(seenByAlice);
      expect(all).toHaveLength(seenByAlice.length + 3);
    },
    30_000,
  );
});
