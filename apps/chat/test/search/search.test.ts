import { type SearchHit, searchResults } from '@waggle/contracts';
import { until, withDatabase } from '@waggle/testing';
import { Client } from 'pg';
import { RetentionStore } from '../../src/retention/retention.store';
import { SearchIndexStore } from '../../src/search/search-index.store';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { pagesOf } from '../support/pages';

const pathOf = (q: string, more = '') => `/messages/search?q=${encodeURIComponent(q)}${more}`;

/**
 * 100 groups of 320 messages, in every fourth group within seconds and in others within days. Several messages have the
 * same time. Words: in most blocks, in some, only in old ones, and only in a few groups.
 */
const manyConversations = `
  INSERT INTO conversation (id, type, name, creator, last_seq, last_message_at)
  SELECT 'many-' || n, 'group', 'Many', 'heidi', 320, date_trunc('minute', now()) - n % 40 * interval '1 minute'
  FROM generate_series(1, 100) n;
  INSERT INTO member (conversation_id, account) SELECT id, 'heidi' FROM conversation WHERE creator = 'heidi';
  INSERT INTO message (conversation_id, seq, id, sender, content, sent_at, deleted_at)
  SELECT id, seq, id || '-' || seq, 'bob',
         concat_ws(' ', 'flower', CASE WHEN (n * 7 + seq) % 20 = 0 THEN 'marigold' END,
                   CASE WHEN (n * 11 + seq) % 130 = 0 THEN 'clover' END, CASE WHEN seq % 320 = n THEN 'thistle' END,
                   CASE WHEN n % 30 = 0 AND seq % 3 = 0 THEN 'heather' END),
         last_message_at - (320 - seq) * CASE n % 4 WHEN 0 THEN interval '1 second' ELSE interval '5 minutes' END,
         CASE WHEN seq % 17 = 0 THEN now() END
  FROM conversation CROSS JOIN LATERAL (SELECT substr(id, 6)::int AS n) number CROSS JOIN generate_series(1, 320) seq
  WHERE creator = 'heidi'`;

describe('the search', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let carol: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start({ messages: { attachmentHosts: ['images.example'] } });
    [alice, bob, carol] = await Promise.all([
      chat.instance.join('alice'),
      chat.instance.join('bob'),
      chat.instance.join('carol', ['rich']),
    ]);
  });
  afterAll(() => chat.stop());

  const resultsOf = (user: ChatUser, q: string, more = '') => user.getJson(pathOf(q, more), searchResults);
  const textsOf = async (user: ChatUser, q: string, more = '') =>
    (await resultsOf(user, q, more)).hits.map(({ content }) => content);
  /** Waits until the search of an account has a number of messages. */
  const untilFound = async (user: ChatUser, q: string, count: number) => {
    let hits: SearchHit[] = [];
    await until(async () => {
      ({ hits } = await resultsOf(user, q, '&limit=50'));
      return hits.length === count;
    });
    return hits;
  };

  row('GET /messages/search', 'finds words, phrases, senders, links and times, newest first', async () => {
    const { id } = await alice.open(['bob', 'carol'], 'The Café opens at nine');
    const second = await bob.say(id, 'at nine the cafe opens, see https://cafe.example/menu?day=1');
    await carol.say(id, 'Coffee!');
    const found = await untilFound(alice, 'CAFE opens', 2);
    expect(found[0]).toEqual({
      ...{ id: second.id, conversation_id: id, from: 'bob', to: null, content: second.content },
      timestamp: second.timestamp,
      seq: expect.any(Number),
      matches: [
        { start: 12, end: 16 },
        { start: 17, end: 22 },
        { start: 36, end: 40 },
      ],
    });
    expect(await textsOf(bob, '"opens at nine"')).toEqual(['The Café opens at nine']);
    expect(await textsOf(bob, 'cafe from:@bob')).toEqual([second.content]);
    expect(await textsOf(bob, `has:link in:${id}`)).toEqual([second.content]);
    expect(await textsOf(bob, 'cafe has:link from:alice')).toEqual([]);
    expect(await textsOf(bob, `cafe before:${second.timestamp}`)).toEqual(['The Café opens at nine']);
    expect(await textsOf(bob, `cafe after:${second.timestamp}`)).toEqual([second.content]);
    expect(await textsOf(bob, 'caf')).toEqual([]);
    expect(await textsOf(bob, 'opens closes')).toEqual([]);
  });

  it('does not find the addresses of attachments', async () => {
    const image = { url: 'https://images.example/swarm.jpg', name: 'swarm.jpg', media_type: 'image/jpeg', bytes: 1 };
    const ofCarol = await carol.connect(['rich']);
    const { id: conversation_id } = await carol.open('bob', 'hello');
    const attachments = [{ ...image, width: 1, height: 1 }];
    const payload = { conversation_id, message: 'bumblebees', attachments };
    const sent = await ofCarol.request('chat-message', payload, 'chat-message');
    const [found] = await untilFound(carol, 'bumblebees', 1);
    expect(found?.id).toBe(sent.id);
    expect(await textsOf(carol, 'bumblebees has:image')).toHaveLength(1);
    for (const q of ['bumblebees has:link', 'swarm']) expect(await textsOf(carol, q)).toEqual([]);
  });

  it('finds parts of texts in scripts without spaces', async () => {
    const { id } = await alice.open('bob', '회의실에서 2026년 계획을 말해요');
    await alice.say(id, '今天天气很好，我们去公园');
    await alice.say(id, '東京タワーへ行きます');
    await alice.say(id, '회 의');
    await untilFound(bob, `in:${id} from:alice`, 4);
    expect(await textsOf(bob, '회의')).toEqual(['회의실에서 2026년 계획을 말해요']);
    expect(await textsOf(bob, '회의'.normalize('NFD'))).toHaveLength(1);
    expect(await textsOf(bob, '2026년')).toHaveLength(1);
    expect(await textsOf(bob, '天气')).toEqual(['今天天气很好，我们去公园']);
    expect(await textsOf(bob, '天很')).toEqual([]);
    expect(await textsOf(bob, 'タワー')).toEqual(['東京タワーへ行きます']);
    expect(await textsOf(bob, '園')).toEqual([]);
  });

  it('leads from page to page over many conversations', async () => {
    const dm = await alice.open('dave', 'zebra 0');
    const group = await alice.open(['bob', 'dave'], 'zebra 1');
    for (let n = 2; n < 90; n += 1) await alice.say(n % 3 === 0 ? dm.id : group.id, `zebra ${n}`);
    await until(async () => (await textsOf(alice, 'zebra 89')).length === 1);
    const pages = await pagesOf(chat.instance, alice, pathOf('zebra', '&limit=7'), searchResults);
    const hits = pages.flatMap(({ body }) => body.hits);
    expect(new Set(hits.map(({ content }) => content))).toEqual(
      new Set(Array.from({ length: 90 }, (_, n) => `zebra ${n}`)),
    );
    // Messages of two conversations may have the same time.
    const times = hits.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted().reverse());
    expect(hits).toHaveLength(90);
    expect(pages).toHaveLength(13);
  });

  it('finds the current text of edited messages, and no deleted ones', async () => {
    const { id } = await carol.open('alice', 'start');
    const edited = await carol.say(id, 'an aardvark');
    const deleted = await carol.say(id, 'another aardvark');
    await untilFound(alice, 'aardvark', 2);
    await carol.socket.request('edit-message', { id: edited.id, message: 'an armadillo' }, 'message-edited');
    await carol.socket.request('delete-message', { id: deleted.id }, 'message-deleted');
    expect(await textsOf(alice, 'aardvark')).toEqual([]);
    expect(await untilFound(alice, 'armadillo', 1)).toEqual([expect.objectContaining({ id: edited.id, revision: 1 })]);
    expect(await textsOf(alice, `from:carol in:${id}`)).toEqual(['an armadillo', 'start']);
  });

  it('has only what the caller may read now', async () => {
    const group = await alice.open(['bob', 'carol'], 'the password is wombat');
    const channel = await alice.createChannel('Wombats');
    await alice.say(channel.id, 'a public wombat');
    await untilFound(alice, 'wombat', 2);
    const judy = await chat.instance.join('judy');
    expect(await textsOf(judy, 'wombat')).toEqual([]);
    expect(await textsOf(judy, `wombat in:${channel.id}`)).toEqual(['a public wombat']);
    expect(await judy.getError(pathOf(`wombat in:${group.id}`))).toMatchObject({ code: 'not-found' });
    await judy.conversation(channel.id);
    expect(await textsOf(judy, 'wombat')).toEqual(['a public wombat']);
    await alice.socket.request('remove-member', { conversation_id: group.id, username: 'bob' }, 'member-removed');
    expect(await textsOf(bob, 'wombat')).toEqual([]);
    expect(await textsOf(carol, 'wombat')).toEqual(['the password is wombat']);
  });

  it.each([
    ['nothing', ''],
    ['only signs', '* % _ ! "" ~ <-> \0'],
    ['only times', 'before:2026-01-01'],
    ['an invalid sender', 'word from:NOT_AN_ACCOUNT'],
    ['two senders', 'from:alice from:bob'],
    ['an invalid time', 'word before:yesterday'],
    ['an invalid conversation', "word in:';--"],
    ['an unknown feature', 'has:sense'],
    ['ten thousand words', 'word '.repeat(10_000)],
    ['many words', 'a '.repeat(40)],
    ['a long phrase', 'a,'.repeat(70)],
    ['a megabyte', 'a'.repeat(1e6)],
  ])('rejects %s', async (_name, q) => {
    const response = await chat.instance.get(pathOf(q), { Authorization: `Bearer ${alice.session.token}` });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await alice.getError('/messages/search?q=')).toMatchObject({ code: 'invalid-request' });
  });

  it('takes the signs of query languages as signs', async () => {
    for (const q of ["xx' | yy & !zz", '(xx <-> yy):*', 'xx%\\_ (((((', '^(xx+)+$', '\u0000xx', 'foo:bar', '"xx'])
      expect(await resultsOf(alice, q)).toMatchObject({ hits: [] });
    expect(await alice.getError(`${pathOf('word')}&cursor=abc`)).toMatchObject({ code: 'invalid-request' });
  });

  it('continues after the instance that indexes, and loses nothing', async () => {
    const { id } = await alice.open('erin', 'before the change');
    const second = await chat.addInstance();
    await alice.say(id, 'quokka one');
    await untilFound(alice, 'quokka', 1);
    await withDatabase(chat.database.url, async (client) => {
      const { rows } = await client.query<{ indexer: string }>('SELECT indexer FROM search_progress');
      // As if another instance had the lease and died.
      await client.query("UPDATE search_progress SET indexer = 'gone', leased_until = now() + interval '2 s'");
      await alice.say(id, 'quokka two');
      await untilFound(alice, 'quokka', 2);
      expect(rows[0]?.indexer).not.toBe('gone');
      // The whole index is built again from the messages.
      await client.query('TRUNCATE search_block');
      expect(await textsOf(alice, 'quokka')).toEqual([]);
      await client.query(
        "UPDATE search_progress SET indexed_until = NULL, indexer = 'gone', leased_until = now() + interval '1 s'",
      );
      expect(await resultsOf(alice, 'quokka')).toMatchObject({ building: true });
      await untilFound(alice, 'quokka', 2);
      await until(async () => (await resultsOf(alice, 'quokka')).building === undefined);
      await client.query(
        "UPDATE search_progress SET indexed_until = now() - interval '1 hour', indexer = 'gone', leased_until = now() + interval '1 min'",
      );
      expect(await resultsOf(alice, 'quokka')).toMatchObject({ indexed_until: expect.any(String) });
      // The log keeps what is not indexed yet.
      await client.query("UPDATE commit_log SET at = at - interval '50 minutes'");
      const store = new RetentionStore();
      await store.removeCommits(client);
      expect((await client.query('SELECT FROM commit_log')).rowCount).toBeGreaterThan(0);
      await client.query('UPDATE search_progress SET indexed_until = now(), leased_until = now()');
      await store.removeCommits(client);
      expect((await client.query("SELECT FROM commit_log WHERE at < now() - interval '11 minutes'")).rowCount).toBe(0);
    });
    await second.stop();
  });

  it('finds all messages of many conversations in order, as reading them does', async () => {
    const heidi = await chat.instance.join('heidi');
    await withDatabase(chat.database.url, async (client) => {
      await client.query(manyConversations);
      const index = chat.instance.provided(SearchIndexStore);
      let ids = await index.findConversations(client, '', 1_000);
      while (ids.length > 0) ({ rest: ids } = await index.indexNext(client, ids));
      for (const words of [['marigold'], ['clover'], ['marigold', 'clover'], ['thistle'], ['heather']]) {
        const { rows } = await client.query<{ id: string }>(
          `SELECT message.id FROM message JOIN member USING (conversation_id)
           WHERE account = 'heidi' AND string_to_array(content, ' ') @> $1 AND deleted_at IS NULL
           ORDER BY sent_at DESC, conversation_id COLLATE "C" DESC`,
          [words],
        );
        const pages = await pagesOf(chat.instance, heidi, pathOf(words.join(' '), '&limit=50'), searchResults);
        const found = pages.flatMap(({ body }) => body.hits.map(({ id }) => id));
        expect(found).toEqual(rows.map(({ id }) => id));
        expect(found.length).toBeGreaterThan(20);
      }
    });
  });

  it('forgets messages that retention removes', async () => {
    const { id } = await alice.open('grace', 'an old numbat');
    await untilFound(alice, 'numbat', 1);
    await withDatabase(chat.database.url, async (client) => {
      await client.query("UPDATE message SET sent_at = sent_at - interval '40 days' WHERE conversation_id = $1", [id]);
      await client.query("UPDATE conversation SET oldest_since = now() - interval '40 days' WHERE id = $1", [id]);
      await new RetentionStore().removeMessages(client, 30);
      expect((await client.query('SELECT FROM search_block WHERE conversation_id = $1', [id])).rowCount).toBe(0);
    });
    expect(await textsOf(alice, 'numbat')).toEqual([]);
  });

  it('forgets deleted messages when their block is indexed again', async () => {
    const { id } = await alice.open(['bob'], 'nectar');
    await untilFound(alice, 'nectar', 1);
    const [message] = await alice.extendedHistory(id);
    await alice.socket.request('delete-message', { id: message?.id }, 'message-deleted');
    await withDatabase(chat.database.url, async (client) => {
      const blocks = async () =>
        (await client.query('SELECT FROM search_block WHERE conversation_id = $1', [id])).rowCount;
      expect(await blocks()).toBe(1);
      await client.query('INSERT INTO search_edit VALUES ($1, $2, 1)', [id, message?.seq]);
      await until(async () => (await blocks()) === 0);
    });
  });

  it('is unavailable, and counted as such, if a statement takes longer than 2 s', async () => {
    const client = new Client({ connectionString: chat.database.url });
    await client.connect();
    await bob.open(['alice']);
    await client.query('ALTER TABLE search_block RENAME TO away');
    await client.query('CREATE VIEW search_block AS SELECT * FROM away WHERE (SELECT pg_sleep(3)) IS NOT NULL');
    expect(await bob.getError(pathOf('word'))).toMatchObject({ code: 'unavailable', statusCode: 503 });
    await client.query('DROP VIEW search_block');
    await client.query('ALTER TABLE away RENAME TO search_block');
    await client.end();
    const metrics = await (await chat.instance.get('/metrics')).text();
    expect(metrics).toMatch(/http_request_duration_seconds_count\{.*route="\/messages\/search",status="503".*\} 1/);
  });

  it('can be turned off', async () => {
    const instance = await chat.addInstance({ search: { isOn: false, indexPercent: 10 } });
    const frank = await instance.join('frank');
    expect(await frank.getError(pathOf('word'))).toMatchObject({ code: 'not-found' });
    await instance.stop();
  });
});

describe('the price of the search', () => {
  it('is charged to the account', async () => {
    const chat = await ChatUnderTest.start({ accountLimits: { connections: 10, frames: { perSecond: 1, burst: 50 } } });
    try {
      const alice = await chat.instance.join('alice');
      await alice.getJson(pathOf('word'), searchResults);
      await alice.getJson(pathOf('word'), searchResults);
      expect(await alice.getError(pathOf('word'))).toMatchObject({ code: 'rate-limited' });
    } finally {
      await chat.stop();
    }
  });
});
