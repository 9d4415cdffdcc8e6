import { draft, maxDrafts, type Capability } from '@waggle/contracts';
import { Pool } from 'pg';
import { z } from 'zod';
import { type ChatUser } from '../support/chat-client';
import { type ChatSocket } from '../support/chat-socket';
import { ChatUnderTest } from '../support/chat-under-test';
import { HeldLock } from '../support/held-lock';
import { row } from '../support/interface-rows';
import { pagesOf } from '../support/pages';

const rich: readonly Capability[] = ['rich', 'sync'];

describe('drafts', () => {
  let chat: ChatUnderTest;
  let pool: Pool;
  let heldLock: HeldLock;
  let alice: ChatUser;
  let bob: ChatUser;
  /** Two devices of alice, the second one at another instance. */
  let laptop: ChatSocket;
  let phone: ChatSocket;
  let ofBob: ChatSocket;
  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis();
    pool = new Pool({ connectionString: chat.database.url });
    heldLock = await HeldLock.connect(chat.database);
    const other = await chat.addInstance();
    [alice, bob] = [await chat.instance.join('alice'), await chat.instance.join('bob')];
    [laptop, phone, ofBob] = [
      await alice.connect(rich),
      await other.connect(alice.session.token, rich),
      await bob.connect(rich),
    ];
  });
  afterEach(() => pool.query('DELETE FROM draft'));
  afterAll(async () => {
    await heldLock.disconnect();
    await pool.end();
    await chat.stop();
  });

  const set = (
    conversation_id: string,
    text: string,
    { by = laptop, reply_to }: { by?: ChatSocket; reply_to?: string } = {},
  ) => by.request('set-draft', { conversation_id, text, reply_to }, 'draft-changed');
  const errorOf = async (payload: object, by = laptop) => (await by.requestError('set-draft', payload)).code;
  const draftsOf = (user: ChatUser) => user.getJson('/messages/drafts', z.array(draft));
  /** The next event of a device about a conversation. */
  const eventIn = async (id: string, device = phone) =>
    (await device.next('draft-changed', ({ conversation_id }) => conversation_id === id)).payload;
  const storedIn = async (id: string) => {
    const { rows } = await pool.query<{ text: string }>('SELECT text FROM draft WHERE conversation_id = $1', [id]);
    return rows.map(({ text }) => text);
  };

  row(
    'GET /messages/drafts',
    'are kept for the account alone, and reach its other devices at all instances',
    async () => {
      const { id } = await alice.open(['bob']);
      const { id: dm } = await alice.open('bob');
      const first = await set(id, 'Dear b');
      expect(first).toEqual({ conversation_id: id, text: 'Dear b', updated_at: first.updated_at });
      expect(await eventIn(id)).toEqual(first);
      const second = await set(id, 'Dear bees', { by: phone });
      expect(await eventIn(id, laptop)).toEqual(second);
      expect(second.updated_at >= first.updated_at).toBe(true);
      const other = await set(dm, '  ');
      expect(await draftsOf(alice)).toEqual(
        [second, other].sort((a, b) => (a.conversation_id < b.conversation_id ? -1 : 1)),
      );
      expect(await draftsOf(bob)).toEqual([]);
      await alice.say(id, 'done');
      for (const socket of [ofBob, bob.socket]) await socket.next('chat-message', ({ content }) => content === 'done');
      for (const socket of [ofBob, bob.socket, alice.socket]) expect(socket.received('draft-changed')).toEqual([]);
    },
  );

  it('are deleted by an empty text, also if there is none', async () => {
    const { id } = await alice.open(['bob']);
    const { updated_at } = await set(id, 'never mind');
    for (let times = 0; times < 2; times += 1) {
      const deleted = await set(id, '');
      expect(deleted).toEqual({ conversation_id: id, text: '', updated_at: deleted.updated_at });
      expect(deleted.updated_at >= updated_at).toBe(true);
    }
    await eventIn(id);
    expect(await eventIn(id)).toMatchObject({ text: '' });
    expect(await draftsOf(alice)).toEqual([]);
  });

  it('quote the message of the conversation that they reply to', async () => {
    const [{ id }, { id: other }] = [await alice.open(['bob']), await alice.open(['bob'])];
    const message = await bob.say(id, 'Coffee?'.padEnd(200));
    const reply_to = { id: message.id, from: 'bob', content: 'Coffee?'.padEnd(140) };
    await set(id, 'No');
    await eventIn(id);
    expect(await set(id, 'Yes', { reply_to: message.id })).toMatchObject({ reply_to });
    expect(await eventIn(id)).toMatchObject({ reply_to });
    expect(await draftsOf(alice)).toMatchObject([{ reply_to }]);
    expect(await errorOf({ conversation_id: other, text: 'Yes', reply_to: message.id })).toBe('not-found');
    await bob.socket.request('delete-message', { id: message.id }, 'message-deleted');
    expect(await draftsOf(alice)).toMatchObject([{ reply_to: { ...reply_to, content: null } }]);
    await pool.query('DELETE FROM message WHERE id = $1', [message.id]);
    expect((await draftsOf(alice))[0]).not.toHaveProperty('reply_to');
    expect(await set(id, 'Yes')).not.toHaveProperty('reply_to');
  });

  it('can be written by members only', async () => {
    const channel = await alice.createChannel('Bees');
    const dm = await alice.open('carol');
    await bob.conversation(channel.id);
    for (const id of [channel.id, dm.id, '01ARZ3NDEKTSV4RRFFQ69G5FAV'])
      for (const text of ['mine', '']) expect(await errorOf({ conversation_id: id, text }, ofBob)).toBe('not-found');
    await bob.say(channel.id, 'joins');
    expect(await set(channel.id, 'mine', { by: ofBob })).toMatchObject({ text: 'mine' });
    expect((await bob.socket.requestError('set-draft', { conversation_id: channel.id, text: '' })).code).toBe(
      'unknown-type',
    );
  });

  it('are deleted when the account leaves, is removed, or hides a dm', async () => {
    const [left, removed, dm] = [await alice.open(['bob']), await alice.open(['bob']), await alice.open('bob')];
    const kept = await alice.open(['bob']);
    for (const { id } of [left, removed, dm, kept]) await set(id, 'not sent', { by: ofBob });
    for (const { id } of [left, dm])
      await bob.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
    await alice.socket.request('remove-member', { conversation_id: removed.id, username: 'bob' }, 'member-removed');
    expect(await draftsOf(bob)).toMatchObject([{ conversation_id: kept.id }]);
    for (const { id } of [left, removed, dm]) expect(await storedIn(id)).toEqual([]);
    // As after an instance of an older version, which deletes none.
    await pool.query(`INSERT INTO draft VALUES ('bob', $1, 'old', NULL, now())`, [left.id]);
    expect(await draftsOf(bob)).toMatchObject([{ conversation_id: kept.id }]);
  });

  it.each(['before', 'after'])('are not kept by an account that leaves just %s it changes one', async (order) => {
    const { id: conversation_id } = await alice.open(['bob']);
    const membership = {
      text: `SELECT FROM member WHERE conversation_id = $1 AND account = 'bob' FOR UPDATE`,
      values: [conversation_id],
    };
    const leave = () => bob.socket.request('leave-conversation', { conversation_id }, 'conversation-removed');
    const change = async () => {
      ofBob.send('set-draft', { conversation_id, text: 'late' }, { ref: `leaving ${order}` });
      const { type } = await ofBob.nextMatching(({ ref }) => ref === `leaving ${order}`);
      expect(type).toBe(order === 'after' ? 'draft-changed' : 'error');
    };
    const acts: (() => Promise<unknown>)[] = order === 'after' ? [change, leave] : [leave, change];
    await heldLock.runInOrder(membership, ...acts);
    expect(await storedIn(conversation_id)).toEqual([]);
  });

  it(`are at most ${maxDrafts}; a device that has one more keeps it`, async () => {
    const [{ id: own }, { id: last }] = [await alice.open(['bob']), await alice.open(['bob'])];
    await set(own, 'one of them');
    await pool.query(
      `INSERT INTO draft SELECT 'alice', 'another-' || n, 'text', NULL, now() FROM generate_series(2, $1::int) n`,
      [maxDrafts],
    );
    expect(await errorOf({ conversation_id: last, text: 'too many' })).toBe('too-large');
    expect(await set(own, 'changed')).toMatchObject({ text: 'changed' });
    await set(own, '');
    expect(await set(last, 'now')).toMatchObject({ text: 'now' });
  });

  it('come in pages', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) ids.push((await alice.open(['bob'])).id);
    // Of four bytes each.
    for (const id of ids) await set(id, '🐝'.repeat(4_000));
    const pages = await pagesOf(chat.instance, alice, '/messages/drafts', z.array(draft));
    expect(pages.map(({ body }) => body.length)).toEqual([32, 8]);
    expect(pages.flatMap(({ body }) => body.map(({ conversation_id }) => conversation_id))).toEqual(ids.sort());
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(512 * 1024);
    expect(await alice.getError('/messages/drafts?cursor=rubbish')).toMatchObject({ statusCode: 400 });
  });

  it.each([
    ['4,001 characters', { text: 'x'.repeat(4_001) }, 'too-large'],
    ['a control character', { text: 'a\0b' }, 'invalid-frame'],
    ['a number', { text: 1 }, 'invalid-frame'],
    ['no text', { text: null }, 'invalid-frame'],
    ['no message to reply to', { reply_to: 'a b' }, 'invalid-frame'],
    ['no conversation', { conversation_id: '' }, 'invalid-frame'],
  ])('are checked as messages are: %s', async (_, change, code) => {
    const { id } = await alice.open(['bob']);
    expect(await errorOf({ conversation_id: id, text: 'hi', ...change })).toBe(code);
    expect(await storedIn(id)).toEqual([]);
  });

  it('contain no unpaired surrogates', async () => {
    const { id } = await alice.open(['bob']);
    expect(await set(id, 'a\ud83d')).toMatchObject({ text: 'a\ufffd' });
    expect(await draftsOf(alice)).toMatchObject([{ text: 'a\ufffd' }]);
  });
});
