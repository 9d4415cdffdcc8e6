import { type Message } from '@waggle/contracts';
import { Client } from 'pg';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';

/** The number of sockets that write concurrently, and of messages of each. */
const senders = 20;
const messagesEach = 20;
const total = 1 + senders * messagesEach;

describe(`a conversation that ${senders} sockets write into at once`, () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let conversationId: string;
  let seenByAlice: Message[];
  let seenByBob: Message[];

  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    alice = await chat.instance.join('alice');
    const bob = await chat.instance.join('bob');
    conversationId = (await alice.open('bob', 'first')).id;

    const sockets = await Promise.all(Array.from({ length: senders }, (_, i) => (i % 2 === 0 ? alice : bob).connect()));
    for (let n = 0; n < messagesEach; n += 1) {
      sockets.forEach((socket, i) => {
        socket.send('chat-message', { conversation_id: conversationId, message: `${i}:${n}` });
      });
    }
    [seenByAlice, seenByBob] = await Promise.all([
      // Her first one was the conversation's, and `open` took it.
      alice.socket.nextPayloads('chat-message', total - 1).then(() => alice.socket.received('chat-message')),
      bob.socket.nextPayloads('chat-message', total),
    ]);
    await chat.instance.close();
  });
  afterAll(() => chat.stop());

  it('shows both sides the same messages in the same order', () => {
    expect(seenByAlice).toEqual(seenByBob);
    expect(new Set(seenByAlice.map(({ id }) => id)).size).toBe(total);
  });

  it('gives every message a later time than the previous one', () => {
    const times = seenByAlice.map(({ timestamp }) => Date.parse(timestamp));
    expect(times.every((time, i) => i === 0 || time > (times[i - 1] ?? Infinity))).toBe(true);
  });

  it('preserves the order of each socket', () => {
    for (let i = 0; i < senders; i += 1) {
      const own = seenByAlice.map(({ content }) => content).filter((content) => content.startsWith(`${i}:`));
      expect(own).toEqual(Array.from({ length: messagesEach }, (_, n) => `${i}:${n}`));
    }
  });

  // A page of one message costs a request as a page of all does: the oldest hundred show the same.
  it.each([
    [1, 100],
    [7, total],
    [50, total],
    [199, total],
    [200, total],
  ])('gives each message exactly once, paged by before with limit %d (the oldest %d)', async (limit, count) => {
    // Clients use both forms of a time.
    const before = ({ timestamp }: Message) => `&before=${limit % 2 === 0 ? timestamp : String(Date.parse(timestamp))}`;
    const read: Message[] = [];
    let page: Message[];
    do {
      const next = read[0] ?? seenByAlice[count];
      page = await alice.history(conversationId, `&limit=${limit}${next === undefined ? '' : before(next)}`);
      expect(page.length).toBeLessThanOrEqual(limit);
      read.unshift(...page);
    } while (page.length > 0 && read.length <= count);
    expect(read).toEqual(seenByAlice.slice(0, count));
  });
});

describe('a conversation whose last message lies in the future, because the clock was put back', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterAll(() => chat.stop());

  it('continues with later times', async () => {
    const alice = await chat.instance.join('alice');
    const { id } = await alice.open('bob');
    const database = new Client({ connectionString: chat.database.url });
    await database.connect();
    const ahead = await database.query<{ at: Date }>(
      `UPDATE conversation SET last_message_at = last_message_at + interval '1 hour' RETURNING last_message_at AS at`,
    );
    await database.end();
    const times: number[] = [];
    for (const text of ['after', 'the', 'clock']) times.push(Date.parse((await alice.say(id, text)).timestamp));
    const from = ahead.rows[0]?.at.getTime() ?? 0;
    expect(times).toEqual([from + 1, from + 2, from + 3]);
    expect((await alice.history(id)).map(({ content }) => content)).toEqual(['hello', 'after', 'the', 'clock']);
  });
});
