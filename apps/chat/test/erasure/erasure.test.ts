import { execFile } from 'node:child_process';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { friendRequest, erasedAccount, erasure, erasureText, type RestError } from '@waggle/contracts';
import { devnetKeys } from '@waggle/devnet';
import { until, type TestDatabase } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { escapeIdentifier, Pool } from 'pg';
import { z } from 'zod';
import { Eraser } from '../../src/erasure/eraser';
import { maxErased } from '../../src/erasure/erasure.statements';
import { exportErasures, replayErasures } from '../../src/erasure/erasure-log';
import { ErasureService } from '../../src/erasure/erasure.service';
import { hashOf } from '../../src/search/search-block';
import { bearer, errorOf, jsonOf, type ChatUser } from '../support/chat-client';
import { type ChatInstance, ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { freshTs, loginPath, sign } from '../support/login-path';
import { joinThreeUsers, type ThreeUsers } from '../support/three-users';
import { allowedHosts, fillAccount, rich, type WholeAccount } from '../support/whole-account';

/** What is kept of an erased account, by table and column. */
const kept: Record<string, string> = {
  'erasure.account': 'the log',
  'account_stream.account': 'the last sequence number of its stream, which must not be used again',
  'block.blocked': 'a block of another account',
  'conversation.creator': 'of a dm',
  'conversation.dm_first': 'names the dm of another account; alice is always the first',
  'member.account': 'of a dm, and of a ban',
  'message.recipient': 'a message of another account',
  'message.content': 'as above',
  'message.mentions': 'as above',
  'event.events': 'for 25 hours, so that others learn of the erasure',
  'event.joins': 'as above',
  'event.leaves': 'as above',
  'commit_log.streams': 'for ten minutes',
};

/** Returns the columns that contain a text, of all tables. */
async function columnsWith(pool: Pool, text: string): Promise<string[]> {
  const { rows } = await pool.query<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns
     JOIN pg_class ON oid = format('%I.%I', table_schema, table_name)::regclass
     WHERE table_schema = 'public' AND NOT relispartition AND data_type IN ('text', 'ARRAY', 'jsonb', 'bytea')`,
  );
  const found: string[] = [];
  for (const { table_name, column_name } of rows) {
    const { rowCount } = await pool.query(
      `SELECT FROM ${escapeIdentifier(table_name)} WHERE ${escapeIdentifier(column_name)}::text LIKE '%' || $1 || '%' LIMIT 1`,
      [text],
    );
    if (rowCount === 1) found.push(`${table_name}.${column_name}`);
  }
  return found;
}

/** The body of a request to erase an account. */
function signedErasure(
  account: string,
  { ts = String(freshTs()), signer = account, text = erasureText(account, ts) } = {},
) {
  return { ts, sig: sign(text, devnetKeys(signer).posting.wif) };
}

const post = (instance: ChatInstance, user: ChatUser, body: object) =>
  instance.post('/users/erase', body, bearer(user.session.token));

/** Lets an erasure continue without a pause. */
const beginNow = (pool: Pool, account: string) =>
  pool.query('UPDATE erasure SET next_at = now() WHERE account = $1 AND finished_at IS NULL', [account]);

/** Requests an erasure that need not wait. */
async function requestErasure(instance: ChatInstance, pool: Pool, user: ChatUser) {
  await jsonOf(await post(instance, user, signedErasure(user.account)), erasure);
  await beginNow(pool, user.account);
}

const isFinished = async (pool: Pool, account: string) =>
  (await pool.query('SELECT FROM erasure WHERE account = $1 AND finished_at IS NOT NULL', [account])).rowCount === 1;

async function erase(instance: ChatInstance, pool: Pool, user: ChatUser) {
  await requestErasure(instance, pool, user);
  await untilErased(instance, pool, user.account);
}

/** Does not wait until an instance looks for work by itself. */
async function untilErased(instance: ChatInstance, pool: Pool, account: string) {
  // Another instance may be working on it.
  await until(async () => {
    await instance.provided(ErasureService).sweep();
    const failure = instance.logLines.find((line) => line.includes('cannot erase'));
    if (failure !== undefined) throw new Error(failure);
    return isFinished(pool, account);
  });
}

describe('the erasure of an account', () => {
  let chat: ChatUnderTest;
  let pool: Pool;
  let users: ThreeUsers;
  let known: WholeAccount;
  /** A channel that alice does not belong to. */
  let elsewhere: string;
  /** What others had in their exports before. */
  const before = new Map<ChatUser, string[]>();
  let closed: Promise<unknown>;
  /** The messages of alice that others saw. */
  let shown: string[];

  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis(allowedHosts);
    pool = new Pool({ connectionString: chat.database.url });
    users = await joinThreeUsers(chat, rich);
    known = await fillAccount(users, await chat.instance.join('frank'));
    elsewhere = (await users.bob.createChannel('Elsewhere')).id;
    await users.bob.say(elsewhere, '@alice');
    await untilIndexed();
    for (const user of [users.bob, users.carol]) before.set(user, await contentsOf(user));
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM message WHERE sender = 'alice' AND deleted_at IS NULL`,
    );
    shown = rows.map(({ id }) => id);
    closed = users.alice.socket.closed;
    await erase(chat.instance, pool, users.alice);
  });
  afterAll(async () => {
    await pool.end();
    await chat.stop();
  });

  const hasTerm = async (text: string) =>
    (await pool.query('SELECT FROM search_block WHERE terms @> ARRAY[$1::int]', [hashOf(text)])).rowCount !== 0;
  const untilIndexed = () => until(() => hasTerm('nectar'));
  /** The lines of messages, reactions and so on in the export of an account, without cursors. */
  const contentsOf = async (user: ChatUser) => {
    const text = await (await chat.instance.get('/users/export', bearer(user.session.token))).text();
    return text
      .split('\n')
      .filter((line) => /^{"type":"(message|revision|reaction)"/.test(line))
      .map((line) => line.replace(/,"cursor".*/, ''));
  };

  row('POST /users/erase', 'leaves nothing of it but the log', async () => {
    expect(await columnsWith(pool, 'nectar')).toEqual([]);
    await until(async () => !(await hasTerm('nectar')));
    expect((await columnsWith(pool, 'alice')).sort()).toEqual(Object.keys(kept).sort());
    const { rows } = await pool.query(
      `SELECT c.id, c.creator, c.type, member.status FROM conversation c LEFT JOIN member ON c.id = conversation_id AND account = 'alice'
       WHERE c.creator = 'alice' OR account = 'alice' ORDER BY c.type`,
    );
    expect(rows).toEqual([
      { id: known.banned, type: 'channel', creator: 'carol', status: 'banned' },
      { id: known.dm, type: 'dm', creator: 'alice', status: 'member' },
    ]);
  });

  it('closes the connections of the account', async () => {
    expect(await closed).toMatchObject({ code: 4020 });
  });

  it('leaves what others have as it was', async () => {
    for (const [user, contents] of before) expect(await contentsOf(user)).toEqual(contents);
    const { bob } = users;
    expect(await bob.conversation(known.group)).toMatchObject({
      members: ['bob', 'carol'],
      creator: 'bob',
      name: 'Bees',
    });
    expect(await bob.conversation(known.channel)).toMatchObject({ members: ['bob'], creator: 'bob' });
    expect(await bob.conversation(known.alone)).toMatchObject({ members: [], creator: erasedAccount });
    const history = await bob.extendedHistory(known.group);
    expect(history).toMatchObject([
      { content: 'pollen for @alice and @carol', reactions: [{ emoji: '🌻', count: 1 }] },
    ]);
    expect(history[0]?.reply_to).toMatchObject({ from: erasedAccount, content: null });
    const pins = await bob.getJson(`/messages/pins?conversation_id=${known.group}`, z.array(z.looseObject({})));
    expect(pins).toMatchObject([{ id: known.ofBob, pinned_by: erasedAccount }]);
    const changes = await bob.getJson(`/messages/changes?conversation_id=${known.group}`, z.array(z.looseObject({})));
    expect(changes).toMatchObject([{ type: 'conversation-renamed', by: erasedAccount, name: 'Bees' }]);
  });

  it('reaches readers as events, each once', async () => {
    const { ofBob, carol } = users;
    const member = ({ member }: { member: string }) => member === 'alice';
    for (const id of [known.group, known.channel]) {
      await until(() => ofBob.received('member-left').some((left) => left.conversation_id === id && member(left)));
    }
    const deleted = ofBob.received('message-deleted').map(({ id }) => id);
    const ofOthers = (
      await pool.query<{ id: string }>('SELECT id FROM message WHERE conversation_id = $1', [known.banned])
    ).rows;
    const expected = shown.filter((id) => !ofOthers.some((other) => other.id === id));
    expect(deleted.filter((id) => shown.includes(id)).sort()).toEqual(expected.sort());
    expect(ofBob.received('friendship-removed')).toEqual([{ username: 'alice' }]);
    const removed = ofBob.received('reactions-changed').filter(({ changes }) => changes.some(({ added }) => !added));
    expect(removed.map(({ id, reactions }) => ({ id, reactions }))).toEqual(
      expect.arrayContaining([
        { id: known.ofBob, reactions: [{ emoji: '🌻', count: 1 }] },
        { id: known.reply, reactions: [] },
      ]),
    );
    await until(() => carol.socket.received('friendship-rejected').length === 1);
  });

  it('lets the account begin again', async () => {
    const alice = await chat.instance.join('alice', rich);
    expect(await alice.conversations()).toEqual([]);
    expect(await contentsOf(alice)).toEqual([]);
    expect(await alice.unread()).toEqual([]);
    expect(await alice.getJson('/messages/mentions', z.array(z.unknown()))).toEqual([]);
    // Bob's instance has cached that he may write there.
    await users.bob.say(known.dm, 'welcome back');
    expect((await alice.conversations()).map((each) => each.id)).toEqual([known.dm]);
    const { id } = await alice.open('bob', 'hello again');
    expect(id).toBe(known.dm);
    await users.bob.socket.next('chat-message', ({ content }) => content === 'hello again');
    expect(
      (await chat.instance.provided(ErasureService).sweep(), await alice.history(id)).map(({ content }) => content),
    ).toEqual(['pollen for @alice', 'welcome back', 'hello again']);
  });
});

describe('a request to erase an account', () => {
  let chat: ChatUnderTest;
  let pool: Pool;
  let bob: ChatUser;
  beforeAll(async () => {
    // Without Redis each instance knows only the signatures that it has seen.
    chat = await ChatUnderTest.start();
    pool = new Pool({ connectionString: chat.database.url });
    bob = await chat.instance.join('bob');
  });
  afterAll(async () => {
    await pool.end();
    await chat.stop();
  });

  const errorCode = async (response: Promise<Response>) => (await errorOf(await response)).code;

  it('needs a session, and a fresh signature of the account for this purpose', async () => {
    const { instance } = chat;
    const fresh = signedErasure('bob');
    expect(await errorCode(instance.post('/users/erase', fresh))).toBe('unauthenticated');
    for (const body of [{}, { ts: fresh.ts }, { ...fresh, ts: 'now' }, { ...fresh, ts: Number(fresh.ts) }])
      expect(await errorCode(post(instance, bob, body))).toBe('invalid-request');
    const old = String(Date.now() - 10 * 60_000);
    const early = String(Date.now() + 10 * 60_000);
    for (const ts of [old, early])
      expect(await errorCode(post(instance, bob, signedErasure('bob', { ts })))).toBe('proof-expired');
    const ts = String(freshTs());
    const rejected = [
      signedErasure('bob', { signer: 'alice' }),
      signedErasure('bob', { text: erasureText('alice', ts), ts }),
      signedErasure('bob', { text: `bob${ts}`, ts }),
      { ...fresh, ts: String(freshTs()) },
      { ...fresh, sig: 'nectar' },
    ];
    for (const body of rejected) expect(await errorCode(post(instance, bob, body))).toBe('invalid-signature');
    expect((await pool.query('SELECT FROM erasure')).rowCount).toBe(0);
    // Nor does its signature log in.
    const { ts: signedAt } = fresh;
    const login = loginPath('bob', { ts: signedAt, text: erasureText('bob', signedAt) });
    expect(await errorCode(instance.get(login))).toBe('invalid-signature');
    expect((await instance.get('/users/verify', bearer(bob.session.token))).ok).toBe(true);
  });

  it('ends the sessions; until it is done, the account can neither log in nor export', async () => {
    const { instance } = chat;
    const carol = await instance.join('carol');
    const signed = signedErasure('carol');
    const requests = await Promise.all([post(instance, carol, signed), post(instance, carol, signedErasure('carol'))]);
    expect(requests.map(({ status }) => status).sort()).toEqual([202, expect.any(Number)]);
    expect(requests.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await carol.socket.closed).toMatchObject({ code: 4020 });
    for (const path of ['/users/export', '/users/settings'])
      expect(await errorCode(instance.get(path, bearer(carol.session.token)))).toBe('unauthenticated');
    const login = await instance.get(loginPath('carol'));
    expect(login.headers.get('Retry-After')).toBe('30');
    expect(await errorOf(login)).toMatchObject({ code: 'being-erased', statusCode: 409 });
    // A log-in that began before the request may have stored its session after it.
    await pool.query(
      `UPDATE session SET revoked_at = NULL, expires_at = now() + interval '1 hour' WHERE account = 'carol'`,
    );
    for (const response of [
      instance.get('/users/export', bearer(carol.session.token)),
      post(instance, carol, signedErasure('carol')),
    ])
      expect(await errorCode(response)).toBe('being-erased');
    await beginNow(pool, 'carol');
    await until(() => isFinished(pool, 'carol'));
    const again = await instance.join('carol');
    expect(await errorCode(instance.get('/users/settings', bearer(carol.session.token)))).toBe('unauthenticated');
    // The signature counts once, even at an instance that does not remember it.
    const other = await chat.addInstance();
    for (const each of [instance, other]) expect(await errorCode(post(each, again, signed))).toBe('proof-replayed');
    expect((await instance.get('/users/verify', bearer(again.session.token))).ok).toBe(true);
  });

  it('is not accepted from a trusted account that may log in', async () => {
    const trusting = await chat.addInstance({ hive: { trustedAccounts: ['judy'] } });
    chat.devnet.setAuthority('ivan', 'posting', { weight_threshold: 1, account_auths: [['judy', 1]], key_auths: [] });
    const login = await trusting.get(loginPath('ivan', { wif: devnetKeys('judy').posting.wif }));
    const { token } = await jsonOf(login, z.looseObject({ token: z.string() }));
    const erasing = trusting.post('/users/erase', signedErasure('ivan', { signer: 'judy' }), bearer(token));
    expect(await errorCode(erasing)).toBe('invalid-signature');
  });

  it('ends an export that runs, which says so', async () => {
    const dave = await chat.instance.join('dave');
    const { id } = await dave.createChannel('Large');
    await pool.query(
      `INSERT INTO message (conversation_id, seq, id, sender, content, sent_at)
       SELECT $1, n, 'large' || n, 'dave', repeat('nectar ', 600), now() + n * interval '1 ms' FROM generate_series(10, 1000) n`,
      [id],
    );
    await pool.query('UPDATE conversation SET last_seq = 1000 WHERE id = $1', [id]);
    const response = await chat.instance.get('/users/export', bearer(dave.session.token));
    await requestErasure(chat.instance, pool, dave);
    const lines = (await response.text()).trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      type: 'error',
      code: 'being-erased',
    } satisfies Partial<RestError> & { type: string });
    await untilErased(chat.instance, pool, 'dave');
    expect(await columnsWith(pool, 'nectar')).toEqual([]);
  });
});

describe('the batches of an erasure', () => {
  let chat: ChatUnderTest;
  let other: ChatInstance;
  let pool: Pool;
  let bob: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis();
    other = await chat.addInstance();
    pool = new Pool({ connectionString: chat.database.url });
    bob = await other.join('bob', rich);
  });
  afterAll(async () => {
    await pool.end();
    await chat.stop();
  });

  /** The members have a group with as many messages as three batches, and messages of bob between them. */
  const largeGroup = async (user: ChatUser) => {
    const { id } = await user.open(['bob'], 'nectar');
    await pool.query(
      `INSERT INTO message (conversation_id, seq, id, sender, content, sent_at)
       SELECT $1, n, $2 || n, CASE n % 2 WHEN 0 THEN $2 ELSE 'bob' END, CASE n % 2 WHEN 0 THEN 'nectar' ELSE 'pollen' END,
              now() + n * interval '1 ms'
       FROM generate_series(10, $3::int) n`,
      [id, user.account, 10 + 5 * maxErased],
    );
    await pool.query(
      `INSERT INTO reaction SELECT conversation_id, seq, '🐝', $2, now() FROM message WHERE conversation_id = $1 AND sender = 'bob'`,
      [id, user.account],
    );
    await pool.query('UPDATE conversation SET last_seq = $2 WHERE id = $1', [id, 10 + 5 * maxErased]);
    return id;
  };
  const countOf = async (account: string) =>
    (await pool.query('SELECT FROM message WHERE sender = $1', [account])).rowCount ?? 0;
  /** Requests an erasure that the instances do not begin by themselves. */
  const requestHeld = async (user: ChatUser) => {
    await jsonOf(await post(chat.instance, user, signedErasure(user.account)), erasure);
    await hold(user.account);
  };
  const hold = (account: string) =>
    pool.query(`UPDATE erasure SET next_at = now() + interval '1 day' WHERE account = $1`, [account]);
  /** Erases a batch of a held erasure. */
  const eraseBatch = async (eraser: Eraser, account: string) => {
    await beginNow(pool, account);
    await eraser.eraseBatch(account);
    await hold(account);
  };
  const eraseAll = async (eraser: Eraser, account: string) => {
    while (!(await isFinished(pool, account))) await eraseBatch(eraser, account);
  };

  it('are continued by any instance after any of them, and repeat nothing', async () => {
    const alice = await chat.instance.join('alice');
    const id = await largeGroup(alice);
    await requestHeld(alice);
    const erasers = [chat.instance, other].map((instance) => instance.provided(Eraser));
    const counts = new Set([await countOf('alice')]);
    while (!(await isFinished(pool, 'alice'))) {
      for (const eraser of erasers) {
        await eraseBatch(eraser, 'alice');
        counts.add(await countOf('alice'));
      }
    }
    expect(counts.size).toBeGreaterThan(3);
    expect(await isFinished(pool, 'alice')).toBe(true);
    expect(await columnsWith(pool, 'nectar')).toEqual([]);
    await bob.socket.next('member-left', ({ conversation_id }) => conversation_id === id);
    const deleted = bob.socket.received('message-deleted');
    expect(new Set(deleted.map((each) => each.id)).size).toBe(deleted.length);
    expect(deleted).toHaveLength((5 * maxErased) / 2 + 2);
    const reactions = bob.socket.received('reactions-changed');
    expect(reactions).toHaveLength((5 * maxErased) / 2);
    expect(new Set(reactions.map((each) => each.id)).size).toBe(reactions.length);
    expect((await bob.wholeHistory(id)).map(({ content }) => content)).toEqual(
      Array.from({ length: (5 * maxErased) / 2 }, () => 'pollen'),
    );
  });

  it('change nothing if they fail, and are repeated', async () => {
    const carol = await chat.instance.join('carol');
    await largeGroup(carol);
    await requestHeld(carol);
    const eraser = chat.instance.provided(Eraser);
    const locking = await pool.connect();
    try {
      await locking.query('BEGIN');
      await locking.query('SELECT FROM erasure FOR NO KEY UPDATE');
      const held = await countOf('carol');
      // Another instance seems to work on it.
      await eraser.eraseBatch('carol');
      expect(await countOf('carol')).toBe(held);
      await locking.query('ROLLBACK; BEGIN');
      await locking.query(`SELECT FROM reaction WHERE account = 'carol' ORDER BY seq DESC LIMIT 1 FOR UPDATE`);
      const before = await countOf('carol');
      let after = before;
      await expect(async () => {
        for (;;) {
          await eraseBatch(eraser, 'carol');
          after = await countOf('carol');
        }
      }).rejects.toThrow('lock timeout');
      expect(after).toBeLessThan(before);
      expect(await countOf('carol')).toBe(after);
      expect(await isFinished(pool, 'carol')).toBe(false);
    } finally {
      await locking.query('ROLLBACK');
      locking.release();
    }
    await eraseAll(eraser, 'carol');
    expect(await isFinished(pool, 'carol')).toBe(true);
    expect(await columnsWith(pool, 'nectar')).toEqual([]);
  });

  it('leave what others have begun with the account meanwhile', async () => {
    const erin = await chat.instance.join('erin');
    await erin.open(['bob'], 'nectar');
    await requestHeld(erin);
    const eraser = other.provided(Eraser);
    for (let batch = 1; batch <= 2; batch += 1) await eraseBatch(eraser, 'erin');
    await bob.socket.request('request-friendship', { username: 'erin' }, 'friendship-requested');
    const { id } = await bob.open(['erin'], 'pollen');
    await eraseAll(eraser, 'erin');
    const again = await chat.instance.join('erin');
    expect(await again.getJson('/users/friend-requests', z.array(friendRequest))).toMatchObject([{ username: 'bob' }]);
    expect((await again.conversations()).map((each) => each.id)).toEqual([id]);
  });

  // Of a group as large as above.
  longTest('are executed by several instances at once', async () => {
    const dave = await chat.instance.join('dave');
    const id = await largeGroup(dave);
    await requestErasure(chat.instance, pool, dave);
    await Promise.all([chat.instance, other].map((instance) => instance.provided(ErasureService).sweep()));
    await until(() => isFinished(pool, 'dave'));
    await bob.socket.next('member-left', ({ conversation_id }) => conversation_id === id);
    const deleted = bob.socket.received('message-deleted').filter((each) => each.id.startsWith('dave'));
    expect(deleted.map((each) => each.id)).toEqual([...new Set(deleted.map((each) => each.id))]);
    expect(deleted).toHaveLength((5 * maxErased) / 2 + 1);
  });
});

describe('the log of erasures', () => {
  let chat: ChatUnderTest;
  let pool: Pool;
  /** The same service as of a backup from before the erasures. */
  let restored: ChatUnderTest;
  let restoredPool: Pool;
  let bob: ChatUser;
  beforeAll(async () => {
    [chat, restored] = [await ChatUnderTest.start(), await ChatUnderTest.start()];
    pool = new Pool({ connectionString: chat.database.url });
    restoredPool = new Pool({ connectionString: restored.database.url });
    bob = await restored.instance.join('bob');
  });
  afterAll(async () => {
    await Promise.all([pool.end(), restoredPool.end()]);
    await chat.stop();
    await restored.stop();
  });

  /** Runs the command in a process of its own. */
  const run = async (database: TestDatabase, command: string, input = '') => {
    const running = promisify(execFile)('node', ['dist/erasures.main.js', command], {
      cwd: path.join(__dirname, '../..'),
      env: { ...process.env, DATABASE_URL: database.url },
    });
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
  /** What the command `export` prints, without the start of a process. */
  const exported = async () => {
    const lines: string[] = [];
    for await (const line of exportErasures(chat.database.url)) lines.push(line);
    return lines;
  };
  const replay = (lines: readonly string[]) => replayErasures(restored.database.url, Readable.from(lines));
  const eraseFrom = async (account: string) => erase(chat.instance, pool, await chat.instance.join(account));
  const textsIn = async (id: string) => (await bob.wholeHistory(id)).map(({ content }) => content);

  it('repeats an erasure after a restored backup, once', async () => {
    const alice = await restored.instance.join('alice');
    const { id } = await alice.open(['bob', 'carol'], 'nectar');
    await bob.say(id, 'pollen');
    await eraseFrom('alice');
    const log = await run(chat.database, 'export');
    expect(await run(restored.database, 'replay', log)).toBe('1 accounts are erased again\n');
    await untilErased(restored.instance, restoredPool, 'alice');
    expect(await columnsWith(restoredPool, 'nectar')).toEqual([]);
    expect(await textsIn(id)).toEqual(['pollen']);
    expect(await alice.socket.closed).toMatchObject({ code: 4020 });
    const again = await restored.instance.join('alice');
    const { id: later } = await again.open(['bob'], 'nectar of a new life');
    expect(await replay(await exported())).toBe(0);
    await restored.instance.provided(ErasureService).sweep();
    expect(await textsIn(later)).toEqual(['nectar of a new life']);
  });

  it('keeps messages that were sent after the erasure', async () => {
    const carol = await restored.instance.join('carol');
    const { id } = await carol.open(['bob'], 'early nectar');
    await eraseFrom('carol');
    await carol.say(id, 'late nectar');
    const ofCarol = (await exported()).filter((line) => line.includes('carol'));
    expect(await replay(ofCarol)).toBe(1);
    await untilErased(restored.instance, restoredPool, 'carol');
    expect(await textsIn(id)).toEqual(['late nectar']);
    const again = await restored.instance.join('carol');
    const ownData = await (await restored.instance.get('/users/export', bearer(again.session.token))).text();
    expect(ownData).toContain('late nectar');
    await erase(restored.instance, restoredPool, again);
    expect(await textsIn(id)).toEqual([]);
  });

  it('can be collected from the log messages of instances', async () => {
    const dave = await restored.instance.join('dave');
    const { id } = await dave.open(['bob'], 'nectar');
    await eraseFrom('dave');
    const lines = chat.instance.logLines.filter((line) => line.includes('has requested to erase'));
    expect(lines.length).toBeGreaterThan(0);
    await replay(lines);
    await untilErased(restored.instance, restoredPool, 'dave');
    expect(await textsIn(id)).toEqual([]);
  });

  it('is rejected if a line is not valid', async () => {
    const log = await exported();
    await expect(replay([...log, '{"account":"dave"}'])).rejects.toThrow(`line ${log.length + 1} is not`);
  });

  // Starts another process.
  longTest('has no other commands', async () => {
    await expect(run(chat.database, 'restore')).rejects.toThrow('command: ');
  });
});
