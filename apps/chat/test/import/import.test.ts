import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { historyPage, searchPage, searchResults, type MessageWithSeq } from '@waggle/contracts';
import { until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { runImport } from '../../src/import/import-command';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { HeldLock } from '../support/held-lock';
import { generateExport, mapping, writeLines, type ExpectedMessage } from './mattermost-export';

/** `LONG=true npx jest import`: an export of 100,000 posts; prints how long the import takes. */
const posts = isLong ? 100_000 : 3_000;

describe('the import', () => {
  let chat: ChatUnderTest;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'waggle-import-'));
    writeFileSync(inFolder('accounts.csv'), mapping);
    chat = await ChatUnderTest.start();
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await chat.stop();
  });

  const inFolder = (file: string) => path.join(folder, file);
  const environment = () => ({ DATABASE_URL: chat.database.url });
  /** Starts the command in a process of its own. */
  const start = (...args: string[]) =>
    spawn('node', [path.join(__dirname, '../../dist/import.main.js'), '--accounts', 'accounts.csv', ...args], {
      cwd: folder,
      env: { ...process.env, ...environment() },
    });
  /** Runs the command in this process. */
  const run = async (...args: string[]) => {
    const paths = args.map((arg) => (/\.jsonl?$/.test(arg) ? inFolder(arg) : arg));
    return runImport(['--accounts', inFolder('accounts.csv'), ...paths], environment());
  };
  const report = async (...args: string[]) => (await run(...args)).report;
  const write = (file: string, lines: readonly string[]) => {
    writeLines(inFolder(file), lines);
  };

  const historyOf = async (user: ChatUser, id: string) => {
    const messages: MessageWithSeq[] = [];
    for (;;) {
      const before = messages[0] === undefined ? '' : `&before=${messages[0].timestamp}`;
      const page = await user.extendedHistory(id, `&limit=${historyPage.max}${before}`);
      if (page.length === 0) return messages;
      messages.unshift(...page);
    }
  };
  const toExpected = (message: MessageWithSeq): ExpectedMessage => ({
    from: message.from,
    text: message.content,
    timestamp: message.timestamp,
    ...(message.reply_to && { replyTo: message.reply_to.content ?? '' }),
    ...(message.edited_at && { editedAt: message.edited_at }),
    reactions: (message.reactions ?? []).map(({ emoji }) => emoji),
  });
  /** Returns the conversations as the generator names them. */
  const storedFor = async (user: ChatUser) => {
    const names: Record<string, string> = { 'Town Square': 'town-square', Keepers: 'keepers' };
    const stored: Record<string, ExpectedMessage[]> = {};
    for (const { id, name, members } of await user.conversations()) {
      const history = await historyOf(user, id);
      stored[name === undefined ? members.toSorted().join(',') : (names[name] ?? name)] = history.map(toExpected);
    }
    return stored;
  };

  const idsOfConversations = async () => {
    const database = new Client({ connectionString: chat.database.url });
    await database.connect();
    const { rows } = await database.query<{ id: string }>('SELECT id FROM conversation');
    await database.end();
    return rows.map(({ id }) => id);
  };

  it('imports Mattermost conversations, and nothing twice', async () => {
    const { lines, conversations } = generateExport(posts);
    write('import.jsonl', lines);
    const alice = await chat.instance.join('alice');
    const preview = await report('--dry-run', 'mattermost', 'import.jsonl');
    expect(await idsOfConversations()).toEqual([]);
    const startedAtMs = performance.now();
    const first = await report('mattermost', 'import.jsonl');
    const seconds = (performance.now() - startedAtMs) / 1_000;
    if (isLong) console.log(`${posts} posts in ${seconds.toFixed(1)} s`);
    expect(first).toMatchObject({ isComplete: true, problems: 0, unmapped: {} });
    expect(first.counts).toMatchObject({ channels: 1, groups: 2, dms: 1, posts, imported: posts, movedByMs: 0 });
    expect(first.ignored).toEqual({ 'system messages': 1, 'direct conversations without a message': 1 });
    expect(preview.toLines().slice(1)).toEqual(first.toLines().slice(1));
    expect(await storedFor(alice)).toEqual(conversations);
    const { imported, alreadyImported } = (await report('mattermost', 'import.jsonl')).counts;
    expect({ imported, alreadyImported }).toEqual({ imported: 0, alreadyImported: posts });
    expect(await storedFor(alice)).toEqual(conversations);
    const erin = await chat.instance.join('erin');
    expect(Object.keys(await storedFor(erin)).sort()).toEqual(['keepers', 'town-square']);
    expect([await alice.unread(), await erin.unread()]).toEqual([[], []]);

    // A client that was connected gets one event per conversation, and no message of the import.
    const events = [];
    while (events.length < 4) events.push((await alice.socket.next('conversation-created')).payload);
    const keepers = events.find(({ name }) => name === 'Keepers');
    expect(events.map(({ type }) => type).sort()).toEqual(['channel', 'dm', 'group', 'group']);
    expect(keepers).toMatchObject({
      type: 'group',
      creator: 'bob',
      members: expect.arrayContaining(['alice', 'erin']),
    });
    await erin.say(keepers?.id ?? '', 'after the import');
    expect(await alice.nextText()).toBe('after the import');
    expect((await alice.unread()).map(({ content }) => content)).toEqual(['after the import']);
    await until(async () => {
      const { hits } = await alice.getJson('/messages/search?q=bees', searchResults);
      return hits.length === searchPage.default;
    });
  }, 1_200_000);

  it('continues after it was killed', async () => {
    const { lines, conversations } = generateExport(300);
    write('import.jsonl', lines);
    const alice = await chat.instance.join('alice');
    const lock = await HeldLock.connect(chat.database);
    try {
      // The messages of the first conversation are committed before its members learn of it.
      await lock.acquire({ text: 'LOCK TABLE account_stream IN SHARE MODE' });
      const command = start('mattermost', 'import.jsonl');
      const ended = once(command, 'close');
      await lock.waitForWaiting(1);
      command.kill('SIGKILL');
      await ended;
      await lock.release();
    } finally {
      await lock.disconnect();
    }
    expect(await alice.conversations()).toEqual([]);
    // The channel is complete, but has no members yet.
    const [channelId] = await idsOfConversations();
    const errors = [`conversation?id=${channelId}`, `chats?conversation_id=${channelId}`].map((query) =>
      alice.getError(`/messages/${query}`),
    );
    expect(await Promise.all(errors)).toMatchObject([{ code: 'not-found' }, { code: 'not-found' }]);
    const { counts } = await report('mattermost', 'import.jsonl');
    expect(counts.alreadyImported).toBeGreaterThan(0);
    expect(counts.imported + counts.alreadyImported).toBe(300);
    expect(await storedFor(alice)).toEqual(conversations);
  });

  it('ends at once if another import runs', async () => {
    write('import.jsonl', generateExport(30).lines);
    const other = await HeldLock.connect(chat.database);
    try {
      await other.acquire({ text: "SELECT FROM pg_advisory_xact_lock(hashtextextended('import', 0))" });
      for (const args of [[], ['--dry-run']])
        await expect(run(...args, 'mattermost', 'import.jsonl')).rejects.toThrow('another import into this database');
    } finally {
      await other.disconnect();
    }
    expect(await idsOfConversations()).toEqual([]);
    for (const imported of [30, 0])
      expect(await report('mattermost', 'import.jsonl')).toMatchObject({ counts: { imported } });
  });

  it('reports what it did until the database was lost, and continues', async () => {
    const { lines, conversations } = generateExport(300);
    write('import.jsonl', lines);
    const lock = await HeldLock.connect(chat.database);
    let output = '';
    try {
      // The messages of the first conversation are committed before its members learn of it.
      await lock.acquire({ text: 'LOCK TABLE account_stream IN SHARE MODE' });
      const command = start('mattermost', 'import.jsonl');
      command.stdout.on('data', (data) => (output += String(data)));
      const ended = once(command, 'close');
      await lock.waitForWaiting(1);
      // Also ends the connection that has the temporary table.
      const database = new Client({ connectionString: chat.database.url });
      await database.connect();
      await database.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND (
          application_name = 'waggle-chat-migrations' OR cardinality(pg_blocking_pids(pid)) > 0)`);
      await database.end();
      expect(await ended).toEqual([1, null]);
      await lock.release();
    } finally {
      await lock.disconnect();
    }
    const [, stored = ''] = /^imported +(\d+)$/m.exec(output) ?? [];
    expect(Number(stored)).toBeGreaterThan(0);
    expect(output).toMatch(/^not complete\n[^]*\nFAILED at import\.jsonl:\d+\nThe database is not available: /);
    const { counts, isComplete } = await report('mattermost', 'import.jsonl');
    expect([isComplete, counts.alreadyImported]).toEqual([true, Number(stored)]);
    expect(await storedFor(await chat.instance.join('alice'))).toEqual(conversations);
  });

  it('writes nothing if a user lacks an account or a line is invalid', async () => {
    const { lines } = generateExport(20);
    const alice = await chat.instance.join('alice');
    write('import.jsonl', lines);
    writeFileSync(inFolder('accounts.csv'), mapping.replace('bob.smith,bob\n', ''));
    const { text } = await run('mattermost', 'import.jsonl');
    expect(text).toMatch(/not complete[^]*ACCOUNT\nbob\.smith +\d/);
    expect(await once(start('mattermost', 'import.jsonl'), 'exit')).toEqual([1, null]);
    expect(await alice.conversations()).toEqual([]);

    writeFileSync(inFolder('accounts.csv'), mapping);
    const post = { team: 'hive', channel: 'town-square', user: 'bob.smith', message: 'x'.repeat(4_001), create_at: 1 };
    const invalid = ['{"type": "post"', JSON.stringify({ type: 'post', post: { ...post, create_at: 'now' } })];
    write('import.jsonl', [...lines, ...invalid, JSON.stringify({ type: 'post', post })]);
    const rejected = await report('mattermost', 'import.jsonl');
    expect(rejected).toMatchObject({ isComplete: false, problems: 3, counts: { imported: 0 } });
    const first = lines.length + 1;
    expect(rejected.examples.map((example) => example.replace(folder, ''))).toEqual([
      `/import.jsonl:${first}: the line is not a JSON document`,
      expect.stringMatching(new RegExp(`^/import\\.jsonl:${first + 1}: post\\.create_at: `)),
      `/import.jsonl:${first + 2}: the text must have at most 4000 characters`,
    ]);
    expect(await alice.conversations()).toEqual([]);
    const skipping = await report('--skip-problems', 'mattermost', 'import.jsonl');
    expect(skipping).toMatchObject({ isComplete: true, problems: 3, counts: { imported: 20 } });
  });

  it('stores messages of users without an account under the fallback, which sees nothing private', async () => {
    const { lines, conversations } = generateExport(100);
    write('import.jsonl', lines);
    writeFileSync(inFolder('accounts.csv'), `# bob left\n${mapping.replace('bob.smith,bob', '*,frank')}`);
    expect(await report('mattermost', 'import.jsonl')).toMatchObject({
      isComplete: true,
      counts: { dms: 0, groups: 3 },
    });
    const stored = await storedFor(await chat.instance.join('alice'));
    const expected = conversations['alice,bob']?.map(({ from, text }) =>
      from === 'bob' ? { from: 'frank', text: `bob.smith: ${text}` } : { from, text },
    );
    expect(stored['alice']?.map(({ from, text }) => ({ from, text }))).toEqual(expected);
    expect(await (await chat.instance.join('frank')).conversations()).toEqual([]);
  });

  const postOf = (user: string, message: string, more = {}) =>
    JSON.stringify({
      type: 'post',
      post: { team: 'hive', channel: 'keepers', user, message, create_at: 5_000, ...more },
    });
  const directPost = (members: readonly string[], message: string) =>
    JSON.stringify({
      type: 'direct_post',
      direct_post: { channel_members: members, user: members[0], message, create_at: 5_000 },
    });

  it('does not take a post of a webhook for one of its owner, whatever the name', async () => {
    const props = { from_webhook: 'true', override_username: '__proto__' };
    write('import.jsonl', [
      ...generateExport(0).lines,
      postOf('bob.smith', 'built', { props }),
      postOf('__proto__', 'x'),
    ]);
    const { isComplete, unmapped } = await report('mattermost', 'import.jsonl');
    expect([isComplete, Object.entries(unmapped)]).toEqual([
      false,
      [
        ['__proto__ (webhook)', 1],
        ['__proto__', 1],
      ],
    ]);
  });

  it('rejects times in the future, and times that are none', async () => {
    const future = postOf('bob.smith', 'x', { create_at: Date.now() + 600_000 });
    const noTime = postOf('bob.smith', 'x', { create_at: 8_640_000_000_000_001 });
    write('import.jsonl', [...generateExport(0).lines, future, noTime]);
    const { problems, counts } = await report('--skip-problems', 'mattermost', 'import.jsonl');
    expect([problems, counts.imported]).toEqual([2, 0]);
  });

  it('keeps the conversations of several servers apart', async () => {
    write('import.jsonl', [...generateExport(0).lines, postOf('bob.smith', 'hello')]);
    for (const server of ['one', 'two', 'one'])
      expect(await report('--server', server, 'mattermost', 'import.jsonl')).toMatchObject({ isComplete: true });
    const alice = await chat.instance.join('alice');
    const keepers = (await alice.conversations()).filter(({ name }) => name === 'Keepers');
    expect(keepers).toHaveLength(2);
    for (const { id } of keepers) expect(await alice.history(id)).toMatchObject([{ content: 'hello' }]);
  });

  it('writes no message of a direct conversation to other accounts than those of its first import', async () => {
    const { lines } = generateExport(0);
    write('import.jsonl', [...lines, directPost(['alice.smith', 'bob.smith'], 'to bob')]);
    await report('mattermost', 'import.jsonl');
    const alice = await chat.instance.join('alice');
    write('newer.jsonl', [...lines, directPost(['alice.smith', 'bob.smith'], 'to another')]);
    for (const changed of ['bob.smith,frank', '*,frank']) {
      writeFileSync(inFolder('accounts.csv'), mapping.replace('bob.smith,bob', changed));
      expect(await report('mattermost', 'newer.jsonl')).toMatchObject({
        isComplete: false,
        failure: { reason: expect.stringContaining('an earlier import used other accounts') },
      });
    }
    const dm = (await alice.conversations()).find(({ type }) => type === 'dm');
    expect(await alice.history(dm?.id ?? '')).toMatchObject([{ content: 'to bob' }]);
  });

  it('reports a second direct conversation of the same accounts', async () => {
    const direct = ['bob.smith', 'bob.old'].map((bob) => directPost(['alice.smith', bob], 'hello'));
    writeFileSync(inFolder('accounts.csv'), `${mapping}bob.old,bob\n`);
    write('import.jsonl', [...generateExport(0).lines, ...direct]);
    expect(await report('--dry-run', 'mattermost', 'import.jsonl')).toMatchObject({
      problems: 1,
      examples: [expect.stringContaining('another direct conversation has the accounts alice bob')],
    });
  });

  it('moves posts of the same millisecond, and adds only posts that are later than what users wrote', async () => {
    const { lines } = generateExport(0);
    const post = (message: string, create_at: number) =>
      JSON.stringify({
        type: 'post',
        post: { team: 'hive', channel: 'keepers', user: 'bob.smith', message, create_at },
      });
    write('import.jsonl', [
      ...lines,
      post('two', 5_000),
      post('three', 5_000),
      post('one', 4_000),
      post('four', 5_001),
    ]);
    expect((await report('mattermost', 'import.jsonl')).counts).toMatchObject({ imported: 4, movedByMs: 2 });
    const alice = await chat.instance.join('alice');
    const { id = '' } = (await alice.conversations()).find(({ name }) => name === 'Keepers') ?? {};
    const textsAndTimes = async () =>
      (await alice.history(id)).map(({ content, timestamp }) => [content, Date.parse(timestamp)]);
    const imported = [
      ['one', 4_000],
      ['two', 5_000],
      ['three', 5_001],
      ['four', 5_002],
    ];
    expect(await textsAndTimes()).toEqual(imported);
    write('newer.jsonl', [...lines, post('two', 5_000), post('early', 4_500), post('five', 9_000)]);
    const preview = await report('--dry-run', 'mattermost', 'newer.jsonl');
    const newer = await report('mattermost', 'newer.jsonl');
    expect(preview.toLines().slice(1)).toEqual(newer.toLines().slice(1));
    expect(newer).toMatchObject({ problems: 1, counts: { imported: 1, alreadyImported: 1 } });
    expect(newer.examples).toEqual([expect.stringMatching(/newer\.jsonl:\d+: its conversation has later messages/)]);
    expect(await textsAndTimes()).toEqual([...imported, ['five', 9_000]]);
  });

  it('adds nothing older to a dm that exists', async () => {
    const alice = await chat.instance.join('alice');
    const dm = await alice.open('bob', 'first');
    const { lines, conversations } = generateExport(60);
    write('import.jsonl', lines);
    const refused = conversations['alice,bob']?.length ?? 0;
    const preview = await report('--dry-run', 'mattermost', 'import.jsonl');
    expect(await alice.conversations()).toHaveLength(1);
    const { problems, counts, examples } = await report('mattermost', 'import.jsonl');
    expect([preview.problems, preview.counts, preview.examples]).toEqual([problems, counts, examples]);
    expect([problems, counts.imported]).toEqual([refused, 60 - refused]);
    expect((await alice.history(dm.id)).map(({ content }) => content)).toEqual(['first']);
  });

  it('imports the collections of Rocket.Chat', async () => {
    const at = (ms: number) =>
      ms % 2 === 0 ? { $date: new Date(ms).toISOString() } : { $date: { $numberLong: `${ms}` } };
    const u = (account: string) => ({ _id: `id-${account}`, username: `${account}.smith` });
    const message = (_id: string, rid: string, from: string, ts: number, msg: string, more = {}) =>
      JSON.stringify({ _id, rid, u: u(from), ts: at(ts), msg, _updatedAt: at(ts), ...more });
    write('rooms.json', [
      JSON.stringify({ _id: 'GENERAL', t: 'c', name: 'general', u: u('carol'), usersCount: 3 }),
      JSON.stringify({ _id: 'priv', t: 'p', name: 'hive', fname: 'Hive', u: u('erin') }),
      JSON.stringify({ _id: 'dm', t: 'd', usernames: ['alice.smith', 'bob.smith'], uids: ['1', '2'] }),
      JSON.stringify({ _id: 'bot', t: 'd', usernames: ['alice.smith', 'dave.smith'], uids: ['1', '4'] }),
      JSON.stringify({ _id: 'live', t: 'l', fname: 'visitor' }),
      JSON.stringify({ _id: 'old', t: 'c', name: 'old', u: u('alice'), archived: true }),
      JSON.stringify({ _id: 'back', t: 'p', name: 'back', u: u('alice'), archived: false }),
    ]);
    write('subscriptions.json', [
      ...['alice', 'bob', 'carol'].map((account) => JSON.stringify({ rid: 'GENERAL', u: u(account), roles: ['user'] })),
      ...['alice', 'bob'].map((account) => JSON.stringify({ rid: 'priv', u: u(account) })),
      JSON.stringify({ rid: 'old', u: u('frank'), archived: true }),
      JSON.stringify({ rid: 'back', u: u('alice') }),
    ]);
    write('messages.json', [
      message('m3', 'GENERAL', 'bob', 3_001, 'a reply', { tmid: 'm1', editedAt: at(9_000), editedBy: u('bob') }),
      message('m1', 'GENERAL', 'alice', 2_000, 'a question', {
        reactions: {
          ':thumbsup:': { usernames: ['bob.smith', 'carol.smith'] },
          ':hive:': { usernames: ['bob.smith'] },
        },
      }),
      message('m0', 'GENERAL', 'alice', 1_000, 'alice.smith', { t: 'uj' }),
      message('m4', 'priv', 'bob', 4_000, '', {
        files: [
          { _id: 'f', name: 'hive.png' },
          { _id: 't', name: 'thumb-hive.png', typeGroup: 'thumb' },
        ],
        attachments: [
          { type: 'file', title: 'hive.png', description: 'the caption' },
          { text: 'quoted', description: 'no caption', message_link: 'https://rocket.example/?msg=m1' },
        ],
      }),
      message('m5', 'dm', 'alice', 5_000, 'hello bob'),
      message('m6', 'live', 'alice', 6_000, 'hello visitor'),
      message('m9', 'old', 'frank', 6_500, 'in an archived room'),
      message('m8', 'bot', 'erin', 8_000, 'from an integration'),
      message('m7', 'dm', 'alice', 7_000, 'former text', { _hidden: true, parent: 'm5' }),
    ]);
    const files = ['rocketchat', 'rooms.json', 'subscriptions.json', 'messages.json'];
    expect(await report('--dry-run', ...files)).toMatchObject({ isComplete: true, counts: { posts: 5, imported: 5 } });
    expect(await report(...files)).toMatchObject({
      isComplete: true,
      problems: 0,
      counts: { channels: 1, groups: 3, dms: 1, imported: 5, replies: 1, edited: 1, reactions: 2 },
      ignored: {
        'rooms of type l': 1,
        'messages of these rooms': 1,
        'archived rooms': 1,
        'messages of archived rooms': 1,
        'hidden messages': 1,
        'system messages': 1,
        files: 1,
        'reactions with an emoji that Unicode lacks': 1,
      },
    });
    expect((await report(...files)).counts).toMatchObject({ imported: 0, alreadyImported: 5 });
    const bob = await chat.instance.join('bob');
    const iso = (ms: number) => new Date(ms).toISOString();
    expect(await storedFor(bob)).toEqual({
      general: [
        { from: 'alice', text: 'a question', timestamp: iso(2_000), reactions: ['👍'] },
        {
          from: 'bob',
          text: 'a reply',
          timestamp: iso(3_001),
          replyTo: 'a question',
          editedAt: iso(9_000),
          reactions: [],
        },
      ],
      Hive: [{ from: 'bob', text: 'the caption', timestamp: iso(4_000), reactions: [] }],
      'alice,bob': [{ from: 'alice', text: 'hello bob', timestamp: iso(5_000), reactions: [] }],
    });
    // Erin has left the room that she created.
    const hive = (await bob.conversations()).find(({ name }) => name === 'Hive');
    expect(hive?.members.toSorted()).toEqual(['alice', 'bob']);
    const dm = (await bob.conversations()).find(({ type }) => type === 'dm');
    expect(await bob.history(dm?.id ?? '')).toMatchObject([{ from: 'alice', to: 'bob', read: true }]);
    await bob.say(dm?.id ?? '', 'hello alice');
  });

  it('prints what is wrong with its arguments', async () => {
    await expect(run('slack', 'export.zip')).rejects.toThrow('expected `mattermost import.jsonl` or `rocketchat');
    const { failure } = await report('mattermost', 'missing.jsonl');
    expect(failure).toEqual({ at: undefined, reason: expect.stringContaining('missing.jsonl: ENOENT') });
    writeFileSync(inFolder('accounts.csv'), 'bob.smith,Bob Smith\nbob.smith\n');
    await expect(run('mattermost', 'import.jsonl')).rejects.toThrow(
      /accounts\.csv:1: Bob Smith is no[^]*accounts\.csv:2: /,
    );
  });
});
