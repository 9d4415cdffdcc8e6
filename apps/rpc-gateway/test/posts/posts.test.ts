import { HiveClient } from '@waggle/chain';
import { Client, Pool } from 'pg';
import { createSources } from '../../src/local/declaration/sources';
import { localMethods } from '../../src/local/local-methods';
import { readDiscussion } from '../../src/posts/discussion';
import { getPost } from '../../src/posts/known-posts';
import { longReads } from '../../src/posts/long-reads';
import { rankedPages } from '../../src/posts/ranked-pages';
import { exactJson, JsonText } from '../../src/rpc/json-text';
import { IndexUnderTest } from '../support/index-under-test';
import {
  act,
  castVote,
  create,
  deletion,
  follow,
  options,
  paid,
  post,
  reblog,
  reply,
  rewarded,
  transfer,
  vote,
} from '../support/operations';
import { ScriptedNode } from '../support/scripted-node';

const bees = 'hive-100001';
const comb = { author: 'alice', permlink: 'comb' };

describe('posts', () => {
  let index: IndexUnderTest;
  let client: Client;
  const names = ['alice', 'bob', 'carol', 'dan', 'erin', bees];

  beforeAll(async () => {
    index = await IndexUnderTest.start();
    client = new Client({ connectionString: index.database.url });
    await client.connect();
  });
  beforeEach(async () => {
    await index.reset();
    await index.apply(names.map((name) => create(name)));
  });
  afterAll(async () => {
    await client.end();
    await index.stop();
  });

  it('have the fields of bridge', async () => {
    await index.apply([
      act(bees, 'updateProps', bees, { props: { title: 'Bees' } }),
      act(bees, 'setRole', bees, { account: 'alice', role: 'member' }),
    ]);
    const created = index.date;
    await index.apply([
      post('alice', 'comb', { category: bees, title: 'Comb', body: 'Wax.', metadata: '{"tags":["wax"]}' }),
    ]);
    await index.apply([reply('bob', 're-comb', comb, 'Nice.'), reblog('carol', comb)]);
    await index.apply([
      castVote('bob', comb),
      vote('bob', comb, '9007199254740993', 1_500),
      vote('carol', comb, -5_000),
    ]);
    expect(await index.call('bridge.get_post', comb)).toMatchObject({
      author: 'alice',
      permlink: 'comb',
      category: bees,
      title: 'Comb',
      body: 'Wax.',
      json_metadata: { tags: ['wax'] },
      created,
      depth: 0,
      children: 1,
      is_paidout: false,
      payout_at: new Date(Date.parse(`${created}Z`) + 7 * 86_400_000).toISOString().slice(0, 19),
      max_accepted_payout: '1000000.000 HBD',
      reblogs: 1,
      stats: { hide: false, gray: false, total_votes: 2 },
      community: bees,
      community_title: 'Bees',
      author_role: 'member',
      url: `/${bees}/@alice/comb`,
    });
    const text = await textOf('bridge.get_post', comb);
    // Digits that JavaScript would round.
    expect(text).toContain('{"voter":"bob","rshares":9007199254740993}');
    expect(await index.call('bridge.get_post', { author: 'bob', permlink: 're-comb' })).toMatchObject({
      title: 'RE: Comb',
      parent_author: 'alice',
      parent_permlink: 'comb',
      url: `/${bees}/@alice/comb#@bob/re-comb`,
    });
    expect(await index.call('bridge.get_post_header', comb)).toEqual({ ...comb, category: bees, depth: 0 });
    expect(await textOf('bridge.normalize_post', { post: { ...comb, title: 'Other' } })).toBe(text);
  });

  const textOf = async (method: string, params: object): Promise<string> => {
    const pool = new Pool({ connectionString: index.database.url, max: 1 });
    const hive = new HiveClient({ urls: ['http://127.0.0.1:1'] });
    const value = await localMethods.get(method)?.prepare(params, false, createSources(pool, hive)).run();
    await pool.end();
    await hive.close();
    return value instanceof JsonText ? value.text : exactJson(value);
  };

  it('that are paid have the payouts of author, curators and beneficiaries', async () => {
    await index.apply([post('alice', 'comb'), options(comb, { max: 5_000 })]);
    await index.apply([vote('bob', comb, 1_000_000, 700)]);
    expect(await index.call('condenser_api.get_content', ['alice', 'comb'])).toMatchObject({
      pending_payout_value: '0.700 HBD',
      total_payout_value: '0.000 HBD',
      max_accepted_payout: '5.000 HBD',
      last_payout: '1969-12-31T23:59:59',
      net_rshares: 1_000_000,
    });
    await index.apply([rewarded(comb, 900), paid(comb)]);
    expect(await index.call('bridge.get_post', comb)).toMatchObject({
      is_paidout: true,
      payout: 0.9,
      pending_payout_value: '0.000 HBD',
      author_payout_value: '0.900 HBD',
    });
    expect(await index.call('condenser_api.get_content', ['alice', 'comb'])).toMatchObject({
      total_payout_value: '0.900 HBD',
      cashout_time: '1969-12-31T23:59:59',
      net_rshares: 0,
    });
    expect(
      await index.call('database_api.find_comments', { comments: [['alice', 'comb'], ['alice', 'no'], 'x'] }),
    ).toMatchObject({
      comments: [{ author: 'alice', total_payout_value: { amount: '900', precision: 3, nai: '@@000000013' } }],
    });
  });

  it('show an observer its blacklists, and no votes of accounts that it has muted', async () => {
    await index.apply([post('alice', 'comb')]);
    await index.apply([vote('bob', comb, 5), vote('carol', comb, 6)]);
    await index.apply([
      follow('dan', 'alice', 'blacklist'),
      follow('erin', 'dan', 'follow_blacklist'),
      follow('dan', 'bob', 'ignore'),
      follow('erin', 'dan', 'follow_muted'),
    ]);
    const seenBy = (observer: string) => index.call('bridge.get_post', { ...comb, observer });
    const all = [expect.objectContaining({ voter: 'bob' }), expect.objectContaining({ voter: 'carol' })];
    expect(await seenBy('')).toMatchObject({ blacklists: [], active_votes: all });
    expect(await seenBy('dan')).toMatchObject({ blacklists: ['my blacklist'], active_votes: [{ voter: 'carol' }] });
    expect(await seenBy('erin')).toMatchObject({
      blacklists: ['blacklisted by dan'],
      active_votes: [{ voter: 'carol' }],
    });
    expect(await index.call('condenser_api.get_active_votes', ['alice', 'comb', 'dan'])).toMatchObject([
      { voter: 'carol' },
    ]);
    expect(await index.call('database_api.find_votes', comb)).toMatchObject({
      votes: [{ voter: 'bob' }, { voter: 'carol' }],
    });
  });

  it('list votes from a voter or a post on', async () => {
    await index.apply([post('alice', 'comb'), post('alice', 'wax')]);
    await index.apply([
      vote('bob', comb, 5),
      vote('carol', comb, 6),
      vote('bob', { author: 'alice', permlink: 'wax' }, 7),
    ]);
    const list = async (start: unknown, order: string, limit = 10) => {
      const { votes } = (await index.call('database_api.list_votes', { start, limit, order })) as {
        votes: { voter: string; permlink: string }[];
      };
      return votes.map(({ voter, permlink }) => `${voter} ${permlink}`);
    };
    expect(await list(['alice', 'comb', ''], 'by_comment_voter')).toEqual(['bob comb', 'carol comb']);
    expect(await list(['alice', 'comb', 'carol'], 'by_comment_voter')).toEqual(['carol comb']);
    expect(await list(['bob', '', ''], 'by_voter_comment')).toEqual(['bob comb', 'bob wax']);
    expect(await list(['bob', 'alice', 'wax'], 'by_voter_comment')).toEqual(['bob wax']);
    expect(await list(['bob', '', ''], 'by_voter_comment', 1)).toEqual(['bob comb']);
  });

  it('of a blog are numbered from the oldest', async () => {
    await index.apply(['a', 'b', 'c', 'd'].map((name) => post('alice', name)));
    await index.apply([post('bob', 'e')], [reblog('alice', { author: 'bob', permlink: 'e' })]);
    const entries = async (start: number | undefined, limit?: number) =>
      (
        (await index.call('condenser_api.get_blog_entries', ['alice', start, limit])) as {
          entry_id: number;
          permlink: string;
        }[]
      ).map(({ entry_id: id, permlink }) => `${id}${permlink}`);
    expect(await entries(0, 10)).toEqual(['4e', '3d', '2c', '1b', '0a']);
    expect(await entries(undefined, 2)).toEqual(['4e', '3d']);
    expect(await entries(undefined)).toEqual(['4e']);
    expect(await entries(3, 2)).toEqual(['3d', '2c']);
    expect(await entries(1, 5)).toEqual(['1b', '0a']);
    expect(await entries(2)).toEqual(['2c', '1b', '0a']);
    expect(await index.call('condenser_api.get_blog', ['alice', 4, 1])).toMatchObject([
      { blog: 'alice', entry_id: 4, comment: { author: 'bob', permlink: 'e' } },
    ]);
  });

  /** Takes both slots of `longReads`. @returns a function that gives them back */
  const occupyLongReads = (): (() => Promise<unknown>) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const running = [longReads.run(() => released), longReads.run(() => released)];
    return () => {
      release();
      return Promise.all(running);
    };
  };

  /** Returns how many queries find the comments below a comment by bob. */
  const queriesFor = async (permlink: string): Promise<number> => {
    const { id } = await getPost(client, 'bob', permlink);
    const query = jest.spyOn(client, 'query');
    await readDiscussion(client, { id, observerId: null, reasons: null });
    const queries = query.mock.calls.length;
    query.mockRestore();
    return queries;
  };

  it('of a long discussion are the 2,000 oldest, and one query reads a part of it', async () => {
    await index.apply([post('alice', 'comb')]);
    await index.apply(
      Array.from({ length: 2_100 }, (_none, number) => reply('bob', `re-${number}`, comb, `${number}`)),
    );
    const found = (await index.call('bridge.get_discussion', comb)) as Record<string, { replies: string[] }>;
    expect(Object.keys(found)).toHaveLength(2_000);
    expect(found['alice/comb']?.replies).toHaveLength(1_999);
    expect(found['bob/re-1998']).toBeDefined();
    expect(await queriesFor('re-0')).toBe(1);
    await index.apply([reply('carol', 'nested', { author: 'bob', permlink: 're-5' }, '')]);
    expect(await queriesFor('re-5')).toBe(3);
    await index.apply([follow('carol', 'bob', 'ignore')]);
    expect(Object.keys((await index.call('bridge.get_discussion', { ...comb, observer: 'carol' })) as object)).toEqual([
      'alice/comb',
    ]);
  });

  it('of a discussion of 50,000 replies are as many as a response may have', async () => {
    const count = 50_000;
    await index.apply([post('alice', 'comb'), reply('bob', 're-0', comb)]);
    // Copies of the reply. The last one replies to it.
    const copies = `generate_series(1, ${count - 1}) n, `;
    for (const statement of [
      `INSERT INTO post (id, parent_id, author_id, depth, is_pinned, is_deleted, permlink, root_id, parent_author_id, created,
         children, muted_reasons)
       SELECT p.id + n, CASE WHEN n = ${count - 1} THEN p.id ELSE parent_id END, author_id, depth, is_pinned, is_deleted,
         're-' || n, root_id, parent_author_id, created, 0, muted_reasons FROM ${copies} post p WHERE permlink = 're-0'`,
      `UPDATE post SET children = CASE permlink WHEN 'comb' THEN ${count} ELSE 1 END WHERE permlink IN ('comb', 're-0')`,
      ...['post_content', 'payout', 'post_text'].map(
        (
          table,
        ) => `INSERT INTO ${table} SELECT (jsonb_populate_record(r, jsonb_build_object('post_id', r.post_id + n))).*
          FROM ${copies} ${table} r JOIN post p ON p.id = r.post_id WHERE p.permlink = 're-0'`,
      ),
      'ANALYZE',
    ])
      await client.query(statement);
    const discussion = (await index.call('bridge.get_discussion', comb)) as Record<string, object>;
    expect(Object.keys(discussion)).toHaveLength(2_000);
    expect(discussion['alice/comb']).toMatchObject({ children: count, replies: { length: 1_999 } });
    expect(await index.call('condenser_api.get_content_replies', comb)).toHaveLength(5_000);
    const start = ['alice', 'comb', '', ''];
    expect(await index.call('database_api.list_comments', { start, limit: 1_000, order: 'by_root' })).toMatchObject({
      comments: { length: 1_000 },
    });
    expect(
      Object.keys((await index.call('bridge.get_discussion', { author: 'bob', permlink: 're-0' })) as object),
    ).toEqual(['bob/re-0', `bob/re-${count - 1}`]);
    // Of its replies one is known to exist, so the whole thread is read; of the next comment none, so nothing is read.
    expect([await queriesFor('re-0'), await queriesFor('re-1')]).toEqual([1 + count / 2_000, 1]);
    const links = [comb, ...['re-0', 're-1'].map((permlink) => ({ author: 'bob', permlink }))];
    const end = occupyLongReads();
    const results = await Promise.allSettled(links.map((link) => index.call('bridge.get_discussion', link)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await end();
  });

  it.each(['trending', 'hot'] as const)('of communities are in the order of an index: %s', async (ranking) => {
    const indexName = `ranked_post_community_${{ trending: 'trend', hot: 'hot' }[ranking]}`;
    await client.query('SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off');
    for (const scope of ['community', 'unpinned', 'subscribed'] as const) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${rankedPages[scope][ranking].text}`, [
        1,
        null,
        null,
        null,
        20,
      ]);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(indexName);
    }
    await client.query('RESET ALL');
  });

  it.each([
    ['bridge.get_ranked_posts', { sort: 'trending' }],
    ['bridge.get_ranked_posts', { sort: 'hot' }],
    ['bridge.get_account_posts', { sort: 'payout', account: 'alice' }],
    ['condenser_api.get_discussions_by_promoted', {}],
    ['condenser_api.get_post_discussions_by_payout', {}],
  ])('follow a post that was paid since the page before: %s %j', async (method, params) => {
    const permlinks = ['a', 'b', 'c'];
    const links = permlinks.map((permlink) => ({ author: 'alice', permlink }));
    await index.apply(
      permlinks.map((permlink) => post('alice', permlink)),
      links.map((link, number) => vote('bob', link, 10 ** (12 - number), 3_000 - number)),
      links.map(({ permlink }, number) => transfer('null', 9 - number, `@alice/${permlink}`)),
    );
    const page = async (start = {}) =>
      ((await index.call(method, { ...params, ...start })) as typeof links).map(({ permlink }) => permlink);
    expect(await page()).toEqual(permlinks);
    const [, paidLink = comb] = links;
    await index.apply([rewarded(paidLink, 2_999), paid(paidLink)]);
    expect(await page({ start_author: 'alice', start_permlink: paidLink.permlink })).toEqual(['c']);
  });

  it('sum up payouts by community, author and category', async () => {
    await index.apply([post('alice', 'comb', { category: bees }), post('bob', 'wax', { category: 'wax' })]);
    await index.apply([vote('carol', comb, 9, 3_000), vote('carol', { author: 'bob', permlink: 'wax' }, 9, 1_000)]);
    expect(await index.call('bridge.get_payout_stats')).toEqual({
      items: [
        [bees, expect.any(String), 3, 1, 1],
        ['@bob', '@bob', 1, 1, null],
      ],
      total: 4,
      blogs: 1,
    });
    const tag = (name: string, payout: string) => ({ name, comments: 0, top_posts: 1, total_payouts: payout });
    expect(await index.call('condenser_api.get_trending_tags')).toEqual([
      tag(bees, '3.000 HBD'),
      tag('wax', '1.000 HBD'),
    ]);
    expect(await index.call('condenser_api.get_trending_tags', [bees, 5])).toEqual([tag('wax', '1.000 HBD')]);
  });

  it('whose bodies are not retained have them from a node, which is called once', async () => {
    const created = index.date;
    await index.apply([
      post('alice', 'comb', { body: 'In the index.' }),
      post('alice', 'wax', { body: 'In the index.' }),
    ]);
    await client.query('DELETE FROM post_text');
    const calls: string[] = [];
    const content = (permlink: string) => ({
      author: 'alice',
      permlink,
      body: `${permlink} of a node`,
      last_update: created,
    });
    const node = await ScriptedNode.start();
    node.script = ({ method, params }) => {
      calls.push(method);
      // As a node that does not list muted posts.
      if (method === 'database_api.find_comments') return { comments: [content('comb')] };
      return content((params as string[])[1] ?? '');
    };
    const pool = new Pool({ connectionString: index.database.url, max: 1 });
    const hive = new HiveClient({ urls: [node.url] });
    const sources = createSources(pool, hive);
    const read = async () => {
      const value = await localMethods
        .get('bridge.get_account_posts')
        ?.prepare({ sort: 'posts', account: 'alice' }, false, sources)
        .run();
      return (JSON.parse(exactJson(value)) as { body: string }[]).map(({ body }) => body);
    };
    expect(await read()).toEqual(['wax of a node', 'comb of a node']);
    expect(await read()).toEqual(['wax of a node', 'comb of a node']);
    expect(calls).toEqual(['database_api.find_comments', 'condenser_api.get_content']);
    await hive.close();
    await pool.end();
    await node.stop();
  });

  it('whose bodies come from a node one by one are few at once, and limited', async () => {
    await index.apply([
      post('alice', 'comb'),
      ...Array.from({ length: 101 }, (_, number) => reply('bob', `r${number}`, comb)),
    ]);
    await client.query('DELETE FROM post_text WHERE post_id < 102');
    const node = await ScriptedNode.start();
    let [running, most] = [0, 0];
    node.script = async ({ method, params }) => {
      if (method === 'database_api.find_comments') return { comments: [] };
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      const [author, permlink] = params as string[];
      return { author, permlink, body: `${permlink}.`, last_update: '2020-01-01T00:00:00' };
    };
    const pool = new Pool({ connectionString: index.database.url, max: 1 });
    const hive = new HiveClient({ urls: [node.url] });
    const replies = () =>
      localMethods
        .get('condenser_api.get_content_replies')
        ?.prepare(['alice', 'comb'], false, createSources(pool, hive))
        .run();
    const bodies = (JSON.parse(exactJson(await replies())) as { body: string }[]).map(({ body }) => body);
    expect([bodies.length, bodies[0], bodies.at(-1)]).toEqual([101, 'r0.', 'A reply.']);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(5);
    await client.query('DELETE FROM post_text');
    await expect(replies()).rejects.toThrow('too long');
    await hive.close();
    await pool.end();
    await node.stop();
  });

  it('on the first page of a ranking are read once per block, except for an observer', async () => {
    await index.apply([post('alice', 'comb', { title: 'One' })]);
    const pool = new Pool({ connectionString: index.database.url, max: 1 });
    const hive = new HiveClient({ urls: ['http://127.0.0.1:1'] });
    let block = '1';
    const sources = createSources(pool, hive, () => block);
    const titles = async (params: object = {}) => {
      const call = localMethods.get('bridge.get_ranked_posts')?.prepare({ sort: 'created', ...params }, false, sources);
      return (JSON.parse(exactJson(await call?.run())) as { title: string }[]).map(({ title }) => title);
    };
    expect(await titles()).toEqual(['One']);
    await client.query(`UPDATE post_content SET title = 'Two'`);
    expect([await titles(), await titles({ observer: 'bob' }), await titles({ limit: 1 })]).toEqual([
      ['One'],
      ['Two'],
      ['Two'],
    ]);
    block = '2';
    expect(await titles()).toEqual(['Two']);
    await hive.close();
    await pool.end();
  });

  it('that are named repeatedly count each time for the maximum length of a response', async () => {
    await index.apply([post('alice', 'comb', { body: 'x'.repeat(60_000) })]);
    const find = (times: number) =>
      index.call('database_api.find_comments', { comments: Array.from({ length: times }, () => ['alice', 'comb']) });
    expect(((await find(2)) as { comments: object[] }).comments).toHaveLength(2);
    await expect(find(600)).rejects.toThrow('too long');
    // Characters that take six bytes in JSON.
    await index.apply([post('bob', 'wax', { body: '\u0001'.repeat(60_000) })]);
    const findEscaped = (times: number) =>
      index.call('database_api.find_comments', { comments: Array.from({ length: times }, () => ['bob', 'wax']) });
    expect(await findEscaped(90)).toMatchObject({ comments: { length: 90 } });
    await expect(findEscaped(95)).rejects.toThrow('too long');
  });

  it('of condenser_api count and truncate bodies by characters', async () => {
    await index.apply([post('alice', 'comb', { body: '🐝a🐝b' })]);
    const list = (truncate: number) =>
      index.call('condenser_api.get_discussions_by_created', { truncate_body: truncate });
    expect(await list(0)).toMatchObject([{ body: '🐝a🐝b', body_length: 4 }]);
    expect(await list(3)).toMatchObject([{ body: '🐝a🐝', body_length: 4 }]);
    expect(await list(9)).toMatchObject([{ body: '🐝a🐝b', body_length: 4 }]);
  });

  it('that the index lacks in part are errors, not rows of the index', async () => {
    await index.apply([post('alice', 'comb')]);
    await client.query('DELETE FROM payout');
    for (const method of ['bridge.get_post', 'condenser_api.get_content'])
      await expect(index.call(method, comb)).rejects.toThrow('lacks the content or the payout');
  });

  it('by payout are of a category, which other tags are not', async () => {
    const long = 'x'.repeat(40);
    await index.apply([
      post('alice', 'comb', { category: 'wax', metadata: '{"tags":["bees"]}' }),
      post('alice', 'long', { category: long }),
    ]);
    const list = (tag: string) => index.call('bridge.get_ranked_posts', { sort: 'payout_comments', tag });
    await expect(list('bees')).rejects.toThrow('Category bees does not exist');
    await expect(index.call('condenser_api.get_trending_tags', ['bees'])).rejects.toThrow(
      'Category bees does not exist',
    );
    expect(await list('wax')).toEqual([]);
    expect(await list(long)).toEqual([]);
    expect(await index.call('bridge.get_ranked_posts', { sort: 'created', tag: 'bees' })).toHaveLength(1);
  });

  it('of long lists are read two at a time, and an error follows if others have to wait', async () => {
    await index.apply([post('alice', 'comb')]);
    const end = occupyLongReads();
    const find = (times: number) =>
      index.call('database_api.find_comments', { comments: Array.from({ length: times }, () => ['alice', 'comb']) });
    expect(await find(100)).toMatchObject({ comments: { length: 100 } });
    const start = ['alice', '2050-01-01 00:00:00', '', ''];
    const list = index.call('database_api.list_comments', { start, limit: 10, order: 'by_author_last_update' });
    const results = await Promise.allSettled([find(101), list]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await end();
    expect(await find(101)).toMatchObject({ comments: { length: 101 } });
  });

  it('that were deleted do not exist', async () => {
    await index.apply([post('alice', 'comb')], [deletion(comb)]);
    for (const method of [
      'bridge.get_post',
      'bridge.get_post_header',
      'bridge.get_discussion',
      'condenser_api.get_content',
    ])
      await expect(index.call(method, comb)).rejects.toThrow('Post alice/comb was deleted 1 time(s)');
    expect(await index.call('bridge.get_ranked_posts', { sort: 'created' })).toEqual([]);
  });
});
