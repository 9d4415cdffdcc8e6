import { exportLine, type ExportLine } from '@waggle/contracts';
import { exampleIn, until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Pool } from 'pg';
import { z } from 'zod';
import { encodeCursor } from '../../src/lists/page';
import { bearer, errorOf, type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { parseByContract } from '../support/contract';
import { heapBytes } from '../support/heap';
import { row } from '../support/interface-rows';
import { joinThreeUsers } from '../support/three-users';
import { allowedHosts, fillAccount, rich, type WholeAccount } from '../support/whole-account';

describe('the export of an account', () => {
  let chat: ChatUnderTest;
  let pool: Pool;
  let alice: ChatUser;
  let bob: ChatUser;
  let known: WholeAccount;
  let whole: ExportLine[];
  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis(allowedHosts);
    pool = new Pool({ connectionString: chat.database.url });
    const users = await joinThreeUsers(chat, rich);
    ({ alice, bob } = users);
    known = await fillAccount(users, await chat.instance.join('frank'));
    whole = await exportOf(alice);
  });
  afterAll(async () => {
    await pool.end();
    await chat.stop();
  });

  const request = (user: ChatUser, after?: string) =>
    chat.instance.get(`/users/export${after === undefined ? '' : `?after=${after}`}`, bearer(user.session.token));
  const linesIn = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => parseByContract(exportLine, JSON.parse(line), line));
  const exportOf = async (user: ChatUser, after?: string) => linesIn(await (await request(user, after)).text());
  const ofType = <Type extends ExportLine['type']>(lines: readonly ExportLine[], type: Type) =>
    lines.filter((line): line is Extract<ExportLine, { type: Type }> => line.type === type);

  row('GET /users/export', 'has a line for everything that is stored about the account', () => {
    const types = exportLine.options.map(({ shape }) => shape.type.value);
    const expected = types.filter((type) => type !== 'error' && type !== 'progress');
    expect([...new Set(whole.map(({ type }) => type))].sort()).toEqual(expected.sort());
    expect(whole[0]).toMatchObject({ type: 'account', username: 'alice' });
    expect(whole.at(-1)).toEqual({ type: 'end' });
    expect(ofType(whole, 'settings')).toMatchObject([{ dm: { only_from_friends: false } }]);
    expect(ofType(whole, 'session')).toMatchObject([{ ip: '127.0.0.1', revoked_at: null }]);
    expect(ofType(whole, 'friend')).toMatchObject([{ username: 'bob' }]);
    expect(ofType(whole, 'blocked')).toMatchObject([{ username: 'erin' }]);
    expect(ofType(whole, 'friend-request')).toMatchObject([
      { from: 'alice', to: 'dave' },
      { from: 'carol', to: 'alice' },
    ]);
    const { dm, group, channel, followed, left, banned, alone } = known;
    const conversations = ofType(whole, 'conversation');
    expect(conversations.map(({ id }) => id)).toEqual([dm, group, channel, followed, left, banned, alone].sort());
    const conversation = (id: string) => conversations.find((each) => each.id === id);
    expect(conversation(dm)).toMatchObject({ conversation_type: 'dm', with: 'bob', name: null, status: 'member' });
    expect(conversation(group)).toMatchObject({ name: 'Bees', with: null, muted: true, favourite: true });
    expect(conversation(group)?.draft).toMatchObject({ text: 'unsent nectar', reply_to_seq: expect.any(Number) });
    expect(conversation(dm)?.draft).toBeNull();
    expect(conversation(group)?.read_seq).toBeGreaterThan(0);
    expect(conversation(followed)).toMatchObject({ status: 'reader', followed_at: expect.any(String) });
    expect(conversation(left)).toMatchObject({
      status: 'left',
      name: null,
      creator: null,
      left_at: expect.any(String),
    });
    expect(conversation(banned)).toMatchObject({ status: 'banned', name: 'Pollen only', creator: 'carol' });
    const messages = ofType(whole, 'message');
    expect(messages.map(({ content }) => content).sort()).toEqual([
      'edited nectar\nhttps://images.example/hive.jpg',
      'nectar',
      'nectar before she leaves',
      'nectar for @bob',
      'nectar for all',
      'nectar for bob',
      'nectar for everybody',
      'withdrawn nectar',
    ]);
    const [edited] = messages.filter(({ content }) => content.startsWith('edited'));
    expect(edited).toMatchObject({
      to: 'bob',
      client_id: 'key-of-nectar',
      revision: 1,
      attachments: [{ bytes: 1_000 }],
    });
    const revisions = ofType(whole, 'revision');
    expect(revisions).toMatchObject([{ conversation_id: dm, seq: edited?.seq, revision: 0 }]);
    expect(revisions[0]?.content).toMatch(/^nectar\n/);
    expect(messages.find(({ content }) => content === 'nectar for @bob')?.mentions).toMatchObject([
      { username: 'bob' },
    ]);
    const [deleted] = messages.filter(({ deleted_at }) => deleted_at !== null);
    const [reaction] = ofType(whole, 'reaction').filter(({ conversation_id }) => conversation_id === group);
    expect(deleted).toMatchObject({ content: 'withdrawn nectar', reply_to_seq: reaction?.seq });
    expect(ofType(whole, 'reaction').map(({ emoji }) => emoji)).toEqual(['🐝', '🌻']);
    expect(ofType(whole, 'pin')).toHaveLength(2);
    expect(ofType(whole, 'mention')).toMatchObject([{ by: 'bob' }, { by: 'bob', seq: reaction?.seq }]);
    expect(ofType(whole, 'change').map(({ change, by, name }) => ({ change, by, name }))).toEqual(
      expect.arrayContaining([{ change: 'conversation-renamed', by: 'alice', name: 'Bees' }]),
    );
    expect(JSON.stringify(whole)).not.toContain('pollen');
  });

  it('continues after any line', async () => {
    for (const [i, line] of whole.entries()) {
      if (!('cursor' in line)) continue;
      expect(await exportOf(alice, line.cursor)).toEqual(whole.slice(i + 1));
    }
  });

  it('does not show what belongs to others, whatever the cursor', async () => {
    const { cursor } = ofType(whole, 'conversation').find(({ id }) => id === known.dm) ?? {};
    const lines = await exportOf(bob, cursor);
    expect(JSON.stringify(lines)).not.toContain('nectar');
    expect(JSON.stringify(await exportOf(bob))).not.toContain('nectar');
    const judy = await chat.instance.join('judy');
    expect((await exportOf(judy, cursor)).map(({ type }) => type)).toEqual(['end']);
  });

  it('is as documented', () => {
    const examples = exampleIn('docs/chat-clients.md', 'Export the data of an account').trimEnd().split('\n');
    for (const example of examples) {
      const { type, ...fields } = z.looseObject({ type: z.string() }).parse(JSON.parse(example));
      const documented = exportLine.options.find(({ shape }) => shape.type.value === type);
      expect(Object.keys(documented?.shape ?? {})).toEqual(expect.arrayContaining(Object.keys(fields)));
    }
  });

  it('says that it goes on while it finds nothing, and continues from there', async () => {
    const judy = await chat.instance.join('judy');
    const { id } = await judy.open(['bob'], 'first');
    const lastSeq = 1_000_000;
    await pool.query('UPDATE conversation SET last_seq = $2 WHERE id = $1', [id, lastSeq]);
    await pool.query(
      `INSERT INTO message (conversation_id, seq, id, sender, content, sent_at) VALUES ($1, $2, 'last', 'judy', 'last', now())`,
      [id, lastSeq],
    );
    const lines = await exportOf(judy);
    const [progress] = ofType(lines, 'progress');
    expect(lines.slice(-3)).toMatchObject([{ type: 'progress' }, { content: 'last' }, { type: 'end' }]);
    expect(await exportOf(judy, progress?.cursor)).toEqual(lines.slice(-2));
  });

  it('takes a second for a mebibyte, in characters of any length', async () => {
    const judy = await chat.instance.join('judy');
    const { id } = await judy.createChannel('Long');
    await pool.query(
      `INSERT INTO message (conversation_id, seq, id, sender, content, sent_at)
       SELECT $1, n, 'long' || n, 'judy', repeat('蜂', 1000), now() + n * interval '1 ms' FROM generate_series(10, 260) n`,
      [id],
    );
    await pool.query('UPDATE conversation SET last_seq = 260 WHERE id = $1', [id]);
    const startedAtMs = performance.now();
    const text = await (await request(judy)).text();
    const bytesPerMs = Buffer.byteLength(text) / (performance.now() - startedAtMs);
    expect(ofType(linesIn(text), 'message').length).toBeGreaterThan(250);
    expect(bytesPerMs).toBeLessThan(1.1 * 1024);
  });

  it('rejects a cursor of something else', async () => {
    for (const after of [
      'WzFd',
      'x',
      encodeCursor(['conversation', 'no id', 1, '', '']),
      encodeCursor(['nectar', 0, '']),
    ]) {
      expect(await errorOf(await request(alice, after))).toMatchObject({ code: 'invalid-request' });
    }
  });

  describe('of many messages', () => {
    /** A conversation where carol wrote each fifth of the last messages, 2 KiB long. */
    let carol: ChatUser;
    const [first, count] = [20_000, 40_000];
    beforeAll(async () => {
      carol = await chat.instance.join('carol');
      const { id } = await carol.createChannel('Large');
      await pool.query(
        `INSERT INTO message (conversation_id, seq, id, sender, content, sent_at)
         SELECT $1, n, 'large' || n, CASE n % 5 WHEN 0 THEN 'carol' ELSE 'dave' END, repeat(n::text || ' ', 2048 / 6),
                now() - interval '1 day' + n * interval '1 ms'
         FROM generate_series($2::int, $3::int) n`,
        [id, first, count],
      );
      await pool.query('UPDATE conversation SET last_seq = $2 WHERE id = $1', [id, count]);
    });

    const expected = Array.from({ length: (count - first) / 5 + 1 }, (_, i) => first + i * 5);
    const largeSeqs = (lines: readonly ExportLine[]) =>
      ofType(lines, 'message').flatMap(({ id, seq }) => (id.startsWith('large') ? [seq] : []));

    /** The lines of each piece that arrives. */
    async function* piecesOf(response: Response): AsyncGenerator<ExportLine[]> {
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { done = true, value = '' } = (await reader?.read()) ?? {};
        if (done) return;
        const end = value.lastIndexOf('\n') + 1;
        if (end > 0) yield linesIn(rest + value.slice(0, end));
        rest = end > 0 ? value.slice(end) : rest + value;
      }
    }

    it('has all of them, and needs little memory', async () => {
      const before = await heapBytes();
      const seqs: number[] = [];
      let maxBytes = 0;
      // Each measurement collects garbage of all test files: up to 3 s of CPU time.
      const measurements = isLong ? 5 : 2;
      let measured = 0;
      for await (const lines of piecesOf(await request(carol))) {
        seqs.push(...largeSeqs(lines));
        if (seqs.length < measured + expected.length / (measurements + 0.5)) continue;
        measured = seqs.length;
        maxBytes = Math.max(maxBytes, (await heapBytes()) - before);
      }
      expect(measured).toBeGreaterThan(expected.length * 0.7);
      expect(seqs).toEqual(expected);
      expect(maxBytes).toBeLessThan(5 * 1024 * 1024);
    });

    /** Whether an export of the account runs; one with this cursor ends at once. */
    const isRunning = async (user: ChatUser) => {
      const after = encodeCursor(['conversation', 'z'.repeat(26), 0, '', '']);
      return !(await request(user, after)).ok;
    };

    it('runs once at a time for an account', async () => {
      const aborting = new AbortController();
      const headers = bearer(carol.session.token);
      const running = await fetch(`${chat.instance.url}/users/export`, { headers, signal: aborting.signal });
      expect(await errorOf(await request(carol))).toMatchObject({ code: 'rate-limited', limit: 'exports-per-account' });
      expect((await exportOf(bob)).at(-1)).toEqual({ type: 'end' });
      aborting.abort();
      await expect(running.text()).rejects.toThrow('abort');
      await until(async () => !(await isRunning(carol)));
    });

    it('ends when the session ends, and says so', async () => {
      const user = await chat.instance.join('carol');
      await until(async () => !(await isRunning(user)));
      const response = await request(user);
      await chat.instance.get('/users/logout', bearer(user.session.token));
      const lines = linesIn(await response.text());
      expect(lines.at(-1)).toMatchObject({ type: 'error', code: 'unauthenticated' });
      const { cursor } = ofType(lines, 'message').at(-1) ?? {};
      const rest = await exportOf(carol, cursor);
      expect(rest.at(-1)).toEqual({ type: 'end' });
      expect(largeSeqs([...lines, ...rest])).toEqual(expected);
    });
  });
});
