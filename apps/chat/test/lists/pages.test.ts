import {
  accountName,
  conversation,
  maxConversations,
  extendedConversation,
  friendRequest,
  friendsList,
  message,
  unreadMessage,
  unreadMessageWithSeq,
} from '@waggle/contracts';
import { emptyTables } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { z } from 'zod';
import { jsonBytesInPage } from '../../src/lists/page';
import { maxPageBytes } from '../../src/lists/page';
import { bearer, type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { nextOf, pagesOf, type Page } from '../support/pages';

/** The largest text in JSON: each of its characters takes six bytes. New messages cannot have it, old ones may. */
const worstText = `repeat(chr(1), 4000)`;

/** Bytes of the brackets around the items, and of the names of lists. */
const around = 32;

const functions = `
  CREATE FUNCTION pg_temp.id(kind text, n bigint) RETURNS text LANGUAGE sql AS $$ SELECT '01K' || kind || lpad(n::text, 22, '0') $$;
  CREATE FUNCTION pg_temp.account(n bigint) RETURNS text LANGUAGE sql AS $$ SELECT 'somebody-' || lpad(n::text, 7, '0') $$;`;

describe('a list that is larger than a page', () => {
  let chat: ChatUnderTest;
  let database: Client;
  let alice: ChatUser;
  let bob: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    database = new Client({ connectionString: chat.database.url });
    await database.connect();
    await database.query(functions);
    alice = await chat.instance.join('alice');
    bob = await chat.instance.join('bob');
  });
  afterEach(() =>
    emptyTables(database, ['conversation', 'member', 'message', 'friendship', 'friend_request', 'block', 'event']),
  );
  afterAll(async () => {
    await database.end();
    await chat.stop();
  });

  const pages = <Schema extends z.ZodType>(path: string, schema: Schema, user = alice) =>
    pagesOf(chat.instance, user, path, schema);

  /** Groups or channels of alice, as many members in each as there may be in a group, the latest touched last. */
  const makeConversations = async (type: 'group' | 'channel', count: number, members: number, moderators: number) => {
    await database.query(
      `INSERT INTO conversation (id, type, creator, name, last_seq, created_at, updated_at)
       -- Two at a time in each millisecond.
       SELECT pg_temp.id('C', n), $1, 'alice', repeat(chr(1), 64), 1, t, t
       FROM generate_series(1, $2::int) n, LATERAL (SELECT timestamptz '2026-01-01' + (n / 2) * interval '1 ms' AS t) at`,
      [type, count],
    );
    await database.query(
      `INSERT INTO member (conversation_id, account, made_moderator)
       SELECT pg_temp.id('C', n), CASE m WHEN 1 THEN 'alice' ELSE pg_temp.account(m) END, CASE WHEN m <= $3 THEN nextval('member_order') END
       FROM generate_series(1, $1::int) n, generate_series(1, $2::int) m ORDER BY n, m`,
      [count, members, moderators],
    );
  };

  /** Messages of the worst text that alice has not read, each at the same instant in every conversation. */
  const writeMessages = (each: number) =>
    database.query(
      `WITH written AS (
         INSERT INTO message (conversation_id, seq, id, sender, content, sent_at)
         SELECT c.id, 1 + s, pg_temp.id('M', s * 1000000 + right(c.id, 5)::bigint), pg_temp.account(2), ${worstText},
                timestamptz '2026-01-01' + s * interval '1 ms'
         FROM conversation c, generate_series(1, $1::int) s
       ) UPDATE conversation SET last_seq = 1 + $1`,
      [each],
    );

  const idsOf = (responses: readonly Page<{ id: string }[]>[]) => responses.map(({ body }) => body.map(({ id }) => id));
  const conversationIds = (count: number) =>
    Array.from({ length: count }, (_, i) => `01KC${String(i + 1).padStart(22, '0')}`);

  /** Each page is as large as it may be, but for the last. */
  const expectFullPages = (responses: readonly Page<unknown>[], largestItem: number) => {
    expect(responses.length).toBeGreaterThan(1);
    for (const [i, { bytes }] of responses.entries()) {
      expect(bytes).toBeLessThanOrEqual(maxPageBytes + around);
      if (i < responses.length - 1) expect(bytes).toBeGreaterThan(maxPageBytes - 2 * largestItem);
    }
  };

  row('GET /messages/new', 'the newest unread messages that fit, then older ones', async () => {
    await makeConversations('group', 3, 3, 0);
    await writeMessages(50);
    const responses = await pages('/messages/new', z.array(unreadMessage));
    expectFullPages(responses, 24_300);
    const seen = responses
      .map(({ body }) => body)
      .reverse()
      .flat();
    expect(seen.map(({ timestamp }) => timestamp)).toEqual(seen.map(({ timestamp }) => timestamp).toSorted());
    expect(new Set(seen.map(({ id }) => id)).size).toBe(150);
    expect(seen).toHaveLength(150);
    const extended = await pages('/messages/new?extended=true', z.array(unreadMessageWithSeq));
    expect(idsOf(extended)).toEqual(idsOf(responses));
    expectFullPages(extended, 24_300);
  });

  it('of more short messages than the maximum of a page is paged too', async () => {
    await makeConversations('group', 2, 2, 0);
    await database.query(
      `INSERT INTO message (conversation_id, seq, id, sender, content, sent_at)
       SELECT c.id, 1 + s, pg_temp.id('M', s * 10 + right(c.id, 1)::bigint), pg_temp.account(2), 'hello', timestamptz '2026-01-01' + s * interval '1 ms'
       FROM conversation c, generate_series(1, 1100) s`,
    );
    await database.query('UPDATE conversation SET last_seq = 1101');
    const responses = await pages('/messages/new', z.array(unreadMessage));
    expect(responses.map(({ body }) => body.length)).toEqual([1_000, 1_000, 200]);
    expect(new Set(idsOf(responses).flat()).size).toBe(2_200);
  });

  row('GET /messages/chats', 'the newest messages that fit, then those before them', async () => {
    await makeConversations('group', 1, 2, 0);
    await writeMessages(150);
    const [id = ''] = conversationIds(1);
    const responses = await pages(`/messages/chats?conversation_id=${id}&limit=200`, z.array(message));
    expectFullPages(responses, 24_300);
    const seen = idsOf(responses).reverse().flat();
    expect(seen).toEqual(
      Array.from({ length: 150 }, (_, i) => `01KM${String((i + 1) * 1_000_000 + 1).padStart(22, '0')}`),
    );
    const byTwenty = await pages(`/messages/chats?conversation_id=${id}&limit=20`, z.array(message));
    expect(byTwenty.map(({ body }) => body.length)).toEqual([20, 20, 20, 20, 20, 20, 20, 10]);
    expect((await alice.wholeHistory(id)).map((each) => each.id)).toEqual(seen);
  });

  it('has no empty last page', async () => {
    await makeConversations('group', 1, 2, 0);
    await writeMessages(4);
    const [id = ''] = conversationIds(1);
    const responses = await pages(`/messages/chats?conversation_id=${id}&limit=2`, z.array(message));
    expect(responses.map(({ body }) => body.length)).toEqual([2, 2]);
  });

  row('GET /messages/conversations', 'the latest touched that fit, then the others', async () => {
    await makeConversations('group', 120, 250, 250);
    await writeMessages(1);
    const latest = (await database.query<{ id: string }>('SELECT id FROM conversation ORDER BY updated_at DESC, id'))
      .rows;
    const responses = await pages('/messages/conversations', z.array(conversation));
    expectFullPages(responses, 10_200);
    expect(idsOf(responses).flat()).toEqual(latest.map(({ id }) => id));
    const extended = await pages('/messages/conversations?extended=true', z.array(extendedConversation));
    expectFullPages(extended, 34_500);
    expect(idsOf(extended).flat()).toEqual(latest.map(({ id }) => id));
  });

  it('of so many conversations that their members are read in several steps is paged too', async () => {
    await makeConversations('group', 600, 50, 0);
    const latest = (await database.query<{ id: string }>('SELECT id FROM conversation ORDER BY updated_at DESC, id'))
      .rows;
    const responses = await pages('/messages/conversations', z.array(conversation));
    for (const { bytes } of responses) expect(bytes).toBeLessThanOrEqual(maxPageBytes + around);
    expect(responses[0]?.body.length).toBeGreaterThan(250);
    expect(idsOf(responses).flat()).toEqual(latest.map(({ id }) => id));
  });

  it('of more conversations than the maximum of a page is paged too', async () => {
    await makeConversations('group', maxConversations + 1, 1, 0);
    await database.query(`UPDATE conversation SET name = 'short'`);
    const responses = await pages('/messages/conversations', z.array(conversation));
    expect(responses.map(({ body }) => body.length)).toEqual([maxConversations, 1]);
  });

  row('GET /messages/conversation', 'the first of the ids that fit, then the others, each once', async () => {
    await makeConversations('channel', 120, 260, 260);
    await writeMessages(1);
    const ids = conversationIds(120).reverse();
    const asked = `ids=${[...ids, ids[0], '01K0000000000000000000nowhere'].join(',')}`;
    const responses = await pages(`/messages/conversation?${asked}`, z.array(conversation), bob);
    expectFullPages(responses, 10_200);
    expect(idsOf(responses).flat()).toEqual(ids);
    // As of the conversations of an account.
    if (!isLong) return;
    const extended = await pages(`/messages/conversation?${asked}&extended=true`, z.array(extendedConversation), bob);
    expectFullPages(extended, 34_500);
    expect(idsOf(extended).flat()).toEqual(ids);
  });

  row('GET /users/channels', 'the newest that fit in the order of their creation, then older ones', async () => {
    await makeConversations('channel', 120, 250, 250);
    const responses = await pages('/users/channels', z.array(conversation));
    expectFullPages(responses, 10_200);
    expect(idsOf(responses).reverse().flat()).toEqual(conversationIds(120));
  });

  row('GET /users/friends', 'the newest friends and blocked accounts, then older ones of both', async () => {
    const [friends, blocked] = [11_000, 6_000];
    await database.query(
      `INSERT INTO friendship (first, second, created_at)
       SELECT 'alice', pg_temp.account(n), timestamptz '2026-01-01' + n / 2 * interval '1 ms' FROM generate_series(1, ${friends}) n`,
    );
    await database.query(
      `INSERT INTO block (blocker, blocked, created_at)
       SELECT 'alice', pg_temp.account(n), timestamptz '2026-01-01' + n / 2 * interval '1 ms' FROM generate_series(1, ${blocked}) n`,
    );
    const responses = await pages('/users/friends', friendsList);
    expect(responses.map(({ body }) => body.friends.length)).toEqual([5_000, 5_000, 1_000]);
    expect(responses.map(({ body }) => body.blocked.length)).toEqual([5_000, 1_000, 0]);
    for (const { bytes } of responses) expect(bytes).toBeLessThanOrEqual(maxPageBytes + around);
    const names = (count: number) =>
      Array.from({ length: count }, (_, i) => `somebody-${String(i + 1).padStart(7, '0')}`);
    expect(
      responses
        .map(({ body }) => body.friends)
        .reverse()
        .flat(),
    ).toEqual(names(friends));
    expect(
      responses
        .map(({ body }) => body.blocked)
        .reverse()
        .flat(),
    ).toEqual(names(blocked));
  });

  row('GET /users/friend-requests', 'the newest, then older ones', async () => {
    const count = 12_000;
    await database.query(
      `INSERT INTO friend_request (id, requester, addressee, created_at)
       SELECT pg_temp.id('R', n), pg_temp.account(n), 'alice', timestamptz '2026-01-01' + n / 2 * interval '1 ms' FROM generate_series(1, ${count}) n`,
    );
    const responses = await pages('/users/friend-requests', z.array(friendRequest));
    expect(responses.map(({ body }) => body.length)).toEqual([5_000, 5_000, 2_000]);
    expect(idsOf(responses).reverse().flat()).toEqual(
      Array.from({ length: count }, (_, i) => `01KR${String(i + 1).padStart(22, '0')}`),
    );
  });

  describe('GET /messages/members', () => {
    const membersPath = (id: string) => `/messages/members?conversation_id=${id}`;

    row(
      'GET /messages/members',
      'of a channel to anybody, 10,000 at once, in the order in which they joined',
      async () => {
        await makeConversations('channel', 1, 25_000, 300);
        const [id = ''] = conversationIds(1);
        const responses = await pages(membersPath(id), z.array(accountName), bob);
        expect(responses.map(({ body }) => body.length)).toEqual([10_000, 10_000, 5_000]);
        const names = responses.flatMap(({ body }) => body);
        expect(names.slice(0, 3)).toEqual(['alice', 'somebody-0000002', 'somebody-0000003']);
        expect(new Set(names).size).toBe(25_000);
        const shown = await bob.conversation(id);
        expect(shown.members).toEqual(names.slice(0, 250));
        expect(shown.moderators).toEqual(names.slice(0, 250));
      },
    );

    it('of a channel always include the caller, whatever their position', async () => {
      await makeConversations('channel', 1, 300, 300);
      const [id = ''] = conversationIds(1);
      const { members, moderators } = await bob.conversation(id);
      await bob.say(id, 'hello');
      const shownTo = async (user: ChatUser) => [await user.conversation(id), ...(await user.conversations())];
      const [asked, listedOne] = await shownTo(bob);
      for (const shown of [asked, listedOne]) {
        expect(shown).toMatchObject({ members: [...members, 'bob'], moderators });
      }
      await alice.socket.request('add-moderator', { conversation_id: id, username: 'bob' }, 'moderator-added');
      for (const shown of await shownTo(bob)) {
        expect(shown).toMatchObject({ members: [...members, 'bob'], moderators: [...moderators, 'bob'] });
      }
      expect(await alice.conversation(id)).toMatchObject({ members, moderators });
      await bob.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
      expect(await bob.conversation(id)).toMatchObject({ members, moderators });
    });

    row('GET /messages/members', 'of a group to its members alone', async () => {
      const { id } = await alice.open(['bob', 'carol']);
      expect(await bob.getJson(membersPath(id), z.array(accountName))).toEqual(['bob', 'carol', 'alice']);
      const dave = await chat.instance.join('dave');
      expect(await dave.getError(membersPath(id))).toMatchObject({ statusCode: 404, code: 'not-found' });
      expect(await alice.getError(membersPath('01K0000000000000000000nowhere'))).toMatchObject({ code: 'not-found' });
    });

    it('of a channel without members are an empty list', async () => {
      const { id } = await alice.createChannel('Bees');
      await alice.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
      expect(await bob.getJson(membersPath(id), z.array(accountName))).toEqual([]);
    });
  });

  it.each([
    '/messages/new?',
    '/messages/conversations?',
    '/messages/members?conversation_id=01K0000000000000000000nowhere&',
    '/users/channels?',
    '/users/friends?',
    '/users/friend-requests?',
  ])('rejects a cursor of another list: %s', async (path) => {
    const cursors = [
      '!',
      'WyJhIl0',
      Buffer.from('[1e300,"a"]').toString('base64url'),
      Buffer.from('[5,"a\\u0000"]').toString('base64url'),
    ];
    for (const cursor of cursors) {
      expect(await alice.getError(`${path}cursor=${cursor}`)).toMatchObject({
        statusCode: 400,
        code: 'invalid-request',
      });
    }
  });

  it('that fits has no next page', async () => {
    await alice.open('bob');
    for (const path of [
      '/messages/new',
      '/messages/conversations',
      '/users/channels',
      '/users/friends',
      '/users/friend-requests',
    ]) {
      const response = await chat.instance.get(path, bearer(bob.session.token));
      expect([path, response.status, nextOf(response)]).toEqual([path, 200, undefined]);
    }
  });

  it('converts no texts that do not fit', async () => {
    // 1,000 bytes each, in JSON 6,002.
    const { rows } = await database.query<{ bytes: number; count: number }>(
      `SELECT bytes, count(*)::int FROM (
         SELECT ${jsonBytesInPage('text', 'n')} AS bytes FROM (SELECT n, repeat(chr(1), 1000) AS text FROM generate_series(1, 1500) n) listed
       ) counted GROUP BY bytes ORDER BY bytes`,
    );
    expect(rows).toEqual([
      { bytes: 1_000, count: 976 },
      { bytes: 6_002, count: 524 },
    ]);
  });
});
