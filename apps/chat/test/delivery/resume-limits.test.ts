import { type Capability } from '@waggle/contracts';
import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { CatchUpStore } from '../../src/log/catch-up.store';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest, type ChatInstance, type ConfigChanges } from '../support/chat-under-test';

/** The default limits. */
const usual: ConfigChanges = { accountLimits: { frames: { perSecond: 100, burst: 500 } } };

describe('a resume', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    alice = await chat.instance.join('alice');
  });
  afterAll(() => chat.stop());

  const resume = async (instance: ChatInstance, user: ChatUser, cursor?: string) => {
    const socket = await instance.openSocket();
    const capabilities: Capability[] = ['sync'];
    socket.send('authenticate', { token: user.session.token, capabilities, resume: cursor });
    return socket;
  };
  /** An account that misses these texts. @returns the account, its cursor, and the conversation */
  const missing = async (name: string, texts: readonly string[]) => {
    const user = await chat.instance.join(name);
    const { id } = await alice.open(name);
    const socket = await resume(chat.instance, user);
    const { cursor } = (await socket.next('status')).payload;
    await socket.close();
    for (let n = 0; n < texts.length; n += 200) {
      await Promise.all(texts.slice(n, n + 200).map((text) => alice.say(id, text)));
    }
    return { user, id, cursor };
  };
  const bees = (count: number) => Array.from({ length: count }, (_, n) => `${n} ${'\u{1F41D}'.repeat(3_990)}`);

  it('delivers 5,000 messages of 200 bytes within a few seconds', async () => {
    const { user, id, cursor } = await missing('bob', []);
    const database = new Client({ connectionString: chat.database.url });
    await database.connect();
    await database.query(
      `WITH c AS (
         UPDATE conversation SET last_seq = last_seq + 4990, last_message_at = now() + interval '5 seconds' WHERE id = $1
         RETURNING last_seq - 4990 AS former
       )
       INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at)
       SELECT $1, former + n, $1 || n, 'alice', 'bob', rpad((n - 1) || ' ', 200, 'x'), now() + n * interval '1 ms'
       FROM c, generate_series(1, 4990) n`,
      [id],
    );
    await database.end();
    const instance = await chat.addInstance(usual);
    const startedAtMs = performance.now();
    const socket = await resume(instance, user, cursor);
    await socket.next('resume-complete');
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    const received = socket.received('chat-message').filter(({ conversation_id }) => conversation_id === id);
    expect(received.map(({ content }) => content).filter((content) => content.length === 200)).toEqual(
      Array.from({ length: 4_990 }, (_, n) => `${n} `.padEnd(200, 'x')),
    );
  });

  it('is limited to 8 KiB for each frame that the account may send, and other connections can still send', async () => {
    const { user, id, cursor } = await missing('carol', bees(60));
    // 60 x 8 KiB at once and 160 KiB/s after that; 60 messages of 16 KB are 940 KiB.
    const instance = await chat.addInstance({ accountLimits: { frames: { perSecond: 20, burst: 60 } } });
    const other = await instance.connect(user.session.token);
    const startedAtMs = performance.now();
    const socket = await resume(instance, user, cursor);
    await socket.next('status');
    other.send('chat-message', { conversation_id: id, message: 'meanwhile' });
    await other.next('chat-message', ({ content }) => content === 'meanwhile');
    expect(socket.received('resume-complete')).toEqual([]);
    await socket.next('resume-complete');
    const seconds = (performance.now() - startedAtMs) / 1_000;
    expect(seconds).toBeGreaterThan((940 - 60 * 8) / 160);
    expect(seconds).toBeLessThan(20);
    expect(other.received('error')).toEqual([]);
  });

  // As above, with twice the messages.
  longTest('lets another connection of the account create a conversation meanwhile', async () => {
    const { user, cursor } = await missing('judy', bees(120));
    const instance = await chat.addInstance({ accountLimits: { frames: { perSecond: 50, burst: 150 } } });
    const other = await instance.connect(user.session.token);
    const socket = await resume(instance, user, cursor);
    await socket.next('status');
    // The first pages use up the burst of the account.
    await until(() => socket.received('chat-message').length >= 40);
    await other.request('create-conversation', { to: ['alice'], message: 'meanwhile' }, 'conversation-created');
    expect(other.received('error')).toEqual([]);
    expect(socket.received('resume-complete')).toEqual([]);
    await socket.next('resume-complete');
  });

  it('delivers the read receipts of many dms page by page, but fails with too many acknowledgments', async () => {
    const { user, cursor } = await missing('grace', ['missed']);
    const database = new Client({ connectionString: chat.database.url });
    await database.connect();
    // In each dm the other account has read something; in one of them it is blocked. The account itself has not read on
    // another device.
    await database.query(`
      INSERT INTO conversation (id, type, creator, dm_first, dm_second, blocked)
      SELECT 'dm-' || n, 'dm', 'grace', 'grace', 'reader-' || n, n = 1 FROM generate_series(1, 1100) n`);
    await database.query(`
      INSERT INTO member (conversation_id, account, acknowledged_seq, receipt_seq, acknowledged_at)
      SELECT 'dm-' || n, account, n, n, CASE account WHEN 'grace' THEN NULL ELSE now() END
      FROM generate_series(1, 1100) n, unnest(ARRAY['grace', 'reader-' || n]) account`);
    const socket = await chat.instance.openSocket();
    const capabilities: Capability[] = ['sync', 'receipts'];
    socket.send('authenticate', { token: user.session.token, capabilities, resume: cursor });
    await socket.next('resume-complete');
    const received = socket.received('messages-read').map(({ username, seq }) => `${username} ${seq}`);
    const expected = Array.from({ length: 1_099 }, (_, n) => `reader-${n + 2} ${n + 2}`);
    expect(received.toSorted()).toEqual(expected.toSorted());

    // More than are deferred: some of them would be dropped.
    await database.query(`UPDATE member SET acknowledged_at = now() WHERE account = 'grace'`);
    await database.end();
    const again = await resume(chat.instance, user, cursor);
    expect((await again.next('resume-failed')).payload).toMatchObject({ reason: 'too-much' });
    expect(again.received('acknowledged')).toEqual([]);
  });

  it('fails if the account has left a conversation more than ten times', async () => {
    const { user, cursor } = await missing('ivan', ['missed']);
    const { id } = await alice.open(['ivan', 'bob']);
    const change = { conversation_id: id, username: 'ivan' };
    const results: string[] = [];
    for (const leaves of [10, 1]) {
      for (let n = 0; n < leaves; n += 1) {
        await alice.socket.request('remove-member', change, 'member-removed');
        await alice.socket.request('add-member', change, 'member-added');
      }
      const socket = await resume(chat.instance, user, cursor);
      await until(() => socket.frames.some(({ type }) => type.startsWith('resume-')));
      results.push(...socket.frames.flatMap(({ type }) => (type.startsWith('resume-') ? type : [])));
    }
    expect(results).toEqual(['resume-complete', 'resume-failed']);
  });

  it('runs on one connection of an account after another', async () => {
    const { user, cursor } = await missing('dave', ['missed']);
    const instance = await chat.addInstance(usual);
    const store = instance.provided(CatchUpStore);
    const begins = jest.spyOn(store, 'findSince');
    const pages = jest.spyOn(store, 'findPage');
    const sockets = await Promise.all([1, 2, 3].map(() => resume(instance, user, cursor)));
    await Promise.all(sockets.map((socket) => socket.next('resume-complete')));
    const calls = [begins, pages].flatMap(({ mock }, which) => mock.invocationCallOrder.map((at) => ({ at, which })));
    expect(calls.toSorted((one, other) => one.at - other.at).map(({ which }) => which)).toEqual([0, 1, 0, 1, 0, 1]);
  });

  it('is not rejected if the subscriptions of the account have used up its burst', async () => {
    const { user, cursor } = await missing('heidi', ['missed']);
    const database = new Client({ connectionString: chat.database.url });
    await database.connect();
    await database.query(`
      INSERT INTO conversation (id, type, creator, dm_first, dm_second)
      SELECT 'heidi-' || n, 'dm', 'heidi', 'heidi', 'other-' || n FROM generate_series(1, 1100) n`);
    await database.query(`
      INSERT INTO member (conversation_id, account)
      SELECT 'heidi-' || n, unnest(ARRAY['heidi', 'other-' || n]) FROM generate_series(1, 1100) n`);
    await database.end();
    const instance = await chat.addInstance({ accountLimits: { frames: { perSecond: 50, burst: 60 } } });
    const socket = await resume(instance, user, cursor);
    await socket.next('resume-complete');
    expect(socket.received('chat-message').map(({ content }) => content)).toContain('missed');
  });

  it('is rejected with a retry delay if the account has sent too much, and the connection is closed', async () => {
    const { user, cursor } = await missing('erin', ['missed']);
    const instance = await chat.addInstance({ accountLimits: { frames: { perSecond: 1, burst: 30 } } });
    const other = await instance.connect(user.session.token);
    // 20 of 30.
    await other.requestError('leave-conversation', { conversation_id: 'nowhere' });
    await other.requestError('leave-conversation', { conversation_id: 'nowhere' });
    const again = await resume(instance, user, cursor);
    const { payload } = await again.next('error');
    expect(payload).toMatchObject({ code: 'rate-limited', request_type: 'authenticate' });
    expect(payload.retry_after_ms).toBeGreaterThan(1_000);
    expect(await again.closed).toMatchObject({ code: 4008 });
    expect(again.received('chat-message')).toEqual([]);
  });

  it('reads pages limited in bytes, with at least one message each', async () => {
    const { user, id, cursor } = await missing('frank', bees(10));
    const store = chat.instance.provided(CatchUpStore);
    const since = new Date(parseInt(cursor?.slice(1) ?? '', 36));
    const { ranges } = await store.findSince(user.account, since, 1_000);
    const bees16k = ranges.filter(({ stream }) => stream === id).map((range) => ({ ...range, from: range.to - 9 }));
    expect(await store.findPage(bees16k, 40_000)).toHaveLength(3);
    expect(await store.findPage(bees16k, 1)).toHaveLength(1);
    expect(await store.findPage(bees16k, 1_000_000)).toHaveLength(10);
  });
});
