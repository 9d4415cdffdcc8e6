import { friendsList } from '@waggle/contracts';
import { type PgBouncer, startPgBouncer } from '@waggle/testing';
import { type ChatInstance, ChatUnderTest, freshDatabase } from '../support/chat-under-test';

// The first run on a machine without PgBouncer fetches it.
const fetchTimeoutMs = 240_000;
/** Connections to PostgreSQL; two instances open up to twelve each. */
const poolSize = 3;
const messagesEach = 40;

describe('behind PgBouncer in transaction mode', () => {
  let pgBouncer: PgBouncer;
  let chat: ChatUnderTest;
  let here: ChatInstance;
  let there: ChatInstance;
  beforeAll(async () => {
    const { url, drop } = await freshDatabase();
    pgBouncer = await startPgBouncer({ upstream: url, poolSize });
    chat = await ChatUnderTest.start({}, { url: pgBouncer.url(), drop });
    here = chat.instance;
    there = await chat.addInstance();
  }, fetchTimeoutMs);
  afterAll(async () => {
    await here.close();
    await there.close();
    await pgBouncer.stop();
    await chat.stop();
  });

  it('two instances have the same order of messages, changes and friendships, over fewer connections than they open', async () => {
    const [alice, bob, carol] = await Promise.all([here.join('alice'), there.join('bob'), there.join('carol')]);
    const { id } = await alice.open(['bob', 'carol']);
    await Promise.all([bob, carol].map(({ socket }) => socket.next('conversation-created')));
    const numbers = Array.from({ length: messagesEach }, (_, n) => n);
    const users = [alice, bob, carol];
    const writing = users.flatMap((user) => numbers.map((n) => user.say(id, `${user.account} ${n}`, 10_000)));
    // Reading meanwhile, each on a connection of its own.
    const reading = numbers.slice(0, 10).flatMap(() => users.map((user) => user.history(id)));
    const change = alice.socket.request(
      'rename-conversation',
      { conversation_id: id, name: 'Bees' },
      'conversation-renamed',
    );
    await Promise.all([...writing, ...reading, change]);

    const history = await alice.wholeHistory(id);
    expect(history).toHaveLength(1 + users.length * messagesEach);
    for (const user of users) {
      const received = () =>
        user.socket.received('chat-message').filter(({ conversation_id }) => conversation_id === id);
      while (received().length < history.length) await user.socket.next('chat-message');
      expect(received().map(({ content }) => content)).toEqual(history.map(({ content }) => content));
    }

    // Two requests that cross: one lock for the pair, held for a transaction.
    bob.socket.send('request-friendship', { username: 'carol' });
    carol.socket.send('request-friendship', { username: 'bob' });
    await Promise.all([bob, carol].map(({ socket }) => socket.next('friendship-accepted')));
    expect(await bob.getJson('/users/friends', friendsList)).toMatchObject({ friends: ['carol'] });

    const { clients, servers } = await pgBouncer.connections();
    expect(servers).toBeLessThanOrEqual(poolSize);
    expect(clients).toBeGreaterThan(poolSize * 2);
  });
});
