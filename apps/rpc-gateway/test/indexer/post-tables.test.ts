import { Random } from '@waggle/testing';
import { Client } from 'pg';
import { IndexUnderTest } from '../support/index-under-test';
import {
  act,
  castVote,
  create,
  custom,
  deletion,
  options,
  type OperationSketch,
  paid,
  post,
  reblog,
  reply,
  rewarded,
  transfer,
  vote,
} from '../support/operations';
import { RandomHistory } from '../support/random-history';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const honey = { author: 'alice', permlink: 'honey' };
const bees = 'hive-100001';

/** What the columns must be, computed by SQL from other rows. Each statement returns the rows that differ. */
const rules: Readonly<Record<string, string>> = {
  'replies are counted in all posts above them': `
    WITH RECURSIVE above (id, post_id) AS (
      SELECT id, parent_id FROM post WHERE NOT is_deleted AND parent_id IS NOT NULL
      UNION ALL
      SELECT above.id, p.parent_id FROM above JOIN post p ON p.id = above.post_id WHERE p.parent_id IS NOT NULL
    )
    SELECT p.id FROM post p WHERE p.children <> (SELECT count(*) FROM above WHERE post_id = p.id)`,
  'the root and the author of the parent follow from the parent': `
    SELECT p.id FROM post p LEFT JOIN post parent ON parent.id = p.parent_id
    WHERE (p.root_id, p.parent_author_id) IS DISTINCT FROM (coalesce(parent.root_id, p.id), parent.author_id)`,
  'votes are summed in the payout': `
    SELECT y.post_id FROM payout y LEFT JOIN LATERAL (
      SELECT coalesce(sum(rshares), 0) AS rshares, coalesce(sum(abs(rshares)), 0) AS absolute_rshares,
        count(*) FILTER (WHERE is_effective) AS total_votes, coalesce(sum(sign(rshares)), 0) AS net_votes
      FROM vote WHERE post_id = y.post_id
    ) v ON true
    WHERE (y.rshares, y.absolute_rshares, y.total_votes, y.net_votes)
      IS DISTINCT FROM (v.rshares, v.absolute_rshares, v.total_votes, v.net_votes)`,
  'unpaid posts are ranked': `
    SELECT * FROM (
      SELECT y.post_id, y.author_payout + y.curator_payout + y.beneficiary_payout + y.pending_payout AS payout, y.promoted,
        p.created, p.community_id, p.depth > 0 AS is_comment
      FROM payout y JOIN post p ON p.id = y.post_id WHERE NOT y.is_paid
    ) y FULL JOIN ranked_post r USING (post_id)
    WHERE (y.payout, y.promoted, y.created, y.community_id, y.is_comment)
      IS DISTINCT FROM (r.payout, r.promoted, r.created, r.community_id, r.is_comment)`,
  'unpaid posts have the category of their thread, and its author': `
    SELECT r.post_id FROM ranked_post r JOIN post p ON p.id = r.post_id LEFT JOIN post_content c ON c.post_id = p.root_id
    WHERE (r.author_id, r.category) IS DISTINCT FROM (p.author_id, c.category)`,
  // The formulas of hivemind (hot_and_trends.sql).
  'posts have scores': `
    SELECT post_id, r.trend, r.hot FROM ranked_post r JOIN payout y USING (post_id)
    CROSS JOIN LATERAL (SELECT sign(y.rshares) * log(greatest(abs(y.rshares / 10000000.0), 1)) AS votes) s
    WHERE r.trend <> (CASE WHEN is_comment THEN 0 ELSE votes + extract(epoch FROM created) / 240000.0 END)::real
      OR r.hot <> (CASE WHEN is_comment THEN 0 ELSE votes + extract(epoch FROM created) / 10000.0 END)::real`,
  'every post has a payout and contents, until it is deleted': `
    SELECT p.id FROM post p
    WHERE (NOT is_deleted) IS DISTINCT FROM EXISTS (SELECT FROM payout WHERE post_id = p.id)
      OR (NOT is_deleted) IS DISTINCT FROM EXISTS (SELECT FROM post_content WHERE post_id = p.id)`,
  'nothing else is left of a deleted post': `
    SELECT post_id FROM (
      SELECT post_id FROM vote UNION ALL SELECT post_id FROM post_tag UNION ALL SELECT post_id FROM post_text
      UNION ALL SELECT post_id FROM blog_entry UNION ALL SELECT post_id FROM ranked_post
    ) rest JOIN post p ON p.id = rest.post_id WHERE is_deleted`,
  'blogs have the own posts of an account, and its reblogs': `
    SELECT e.post_id FROM blog_entry e JOIN post p ON p.id = e.post_id
    WHERE NOT is_reblog AND (e.account_id, e.created, 0) IS DISTINCT FROM (p.author_id, p.created, p.depth)`,
  'posts have their category as a tag, and comments have none': `
    SELECT p.id FROM post p JOIN post_content c ON c.post_id = p.id
    WHERE (c.category IS NULL) IS DISTINCT FROM (p.depth > 0)
      OR EXISTS (SELECT FROM post_tag WHERE post_id = p.id) IS DISTINCT FROM (p.depth = 0)`,
  'communities count their unpaid posts': `
    SELECT c.id FROM community c LEFT JOIN LATERAL (
      SELECT count(*) AS posts, coalesce(sum(y.pending_payout), 0) AS pending
      FROM payout y JOIN post p ON p.id = y.post_id WHERE p.community_id = c.id AND NOT y.is_paid
    ) y ON true
    WHERE (c.pending_posts, c.pending_payout) IS DISTINCT FROM (y.posts, y.pending)`,
};

let index: IndexUnderTest;
let client: Client;
beforeAll(async () => {
  index = await IndexUnderTest.start();
  client = new Client({ connectionString: index.database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await index.stop();
});
beforeEach(() => index.reset());

const rowsOf = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;

describe(`the posts of a random history (SEED=${seed})`, () => {
  it('obey the rules between tables, and are not ranked before the index has caught up', async () => {
    const blocks = new RandomHistory(new Random(seed)).timedBlocks(400);
    for (let first = 0; first < blocks.length; first += 50) {
      index.isAtHead = first > 200;
      await index.applyTimed(blocks.slice(first, first + 50));
      const isRanked = { has_rankings: index.isAtHead, exists: index.isAtHead };
      expect(await rowsOf('SELECT has_rankings, EXISTS (SELECT FROM ranked_post) FROM index_state')).toEqual([
        isRanked,
      ]);
    }
    const broken: Record<string, unknown> = {};
    for (const [rule, sql] of Object.entries(rules)) {
      const rows = await rowsOf(sql);
      if (rows.length > 0) broken[rule] = rows.slice(0, 3);
    }
    expect(broken).toEqual({});
  });
});

describe('a post', () => {
  const begin = [create('alice'), create('bob'), create('carol'), create(bees)];
  const payout = async () => (await rowsOf('SELECT * FROM payout'))[0];
  const tags = async () => (await rowsOf('SELECT tag FROM post_tag ORDER BY tag')).map(({ tag }) => tag);
  const content = async () => (await rowsOf('SELECT title, json_metadata, revision, category FROM post_content'))[0];
  const body = async () => (await rowsOf('SELECT body, is_current FROM post_text'))[0];
  const edited = (sketch: Parameters<typeof post>[2]) => index.apply([post('alice', 'honey', sketch)]);

  it('keeps what an edit leaves out, except the tags', async () => {
    await index.apply([...begin, post('alice', 'honey', { title: 'Honey', metadata: '{"tags":["wax"]}' })]);
    expect(await tags()).toEqual(['bees', 'wax']);
    await edited({ body: '', title: '', metadata: '' });
    expect([await content(), await body(), await tags()]).toEqual([
      { title: 'Honey', json_metadata: '{"tags":["wax"]}', revision: 1, category: 'bees' },
      { body: 'A text.', is_current: true },
      ['bees'],
    ]);
  });

  it.each<[string, unknown, string[]]>([
    ['odd values', ['#Honey Bees', '', ' ', null, 7, {}, ['x'], 'BEES', 'İ🐝'], ['bees', 'honeybees', 'i̇🐝']],
    ['long ones', ['🐝'.repeat(40)], ['bees', '🐝'.repeat(32)]],
    ['characters that the database rejects', ['a\u0000b', '\ud800'], ['ab', 'bees', '\ufffd']],
    ['an object instead of a list', { 0: 'wax' }, ['bees']],
  ])('has the tags of its metadata: %s', async (_name, list, expected) => {
    await index.apply([...begin, post('alice', 'honey', { metadata: JSON.stringify({ tags: list }) })]);
    expect(await tags()).toEqual(expected);
  });

  it.each(['{', '[]', 'null', '"tags"', `{"tags":${'['.repeat(9_000)}${']'.repeat(9_000)}}`, 'x'.repeat(100_000)])(
    'may have metadata that is no object with tags',
    async (metadata) => {
      await index.apply([...begin, post('alice', 'honey', { metadata })]);
      expect([await tags(), (await content())?.['json_metadata']]).toEqual([['bees'], metadata]);
    },
  );

  it('has no text that is longer than an operation can be', async () => {
    const long = 'x'.repeat(1_000_000);
    await index.apply([...begin, post('alice', 'honey', { title: long, body: long, metadata: `{"x":"${long}"}` })]);
    expect([await content(), await body()]).toEqual([
      { title: '', json_metadata: '', revision: 0, category: 'bees' },
      { body: '', is_current: true },
    ]);
  });

  it('may have thousands of tags', async () => {
    const list = Array.from({ length: 10_000 }, (_, number) => `t${number}`);
    await index.apply([...begin, post('alice', 'honey', { metadata: JSON.stringify({ tags: list }) })]);
    await edited({});
    expect(await tags()).toEqual(['bees']);
  });

  it('has a body of 64 kB, which patches change however old it is', async () => {
    await index.apply([...begin, post('alice', 'honey', { body: '🐝'.repeat(16_000) })]);
    await index.applyAt(200 * 86_400, [post('alice', 'honey', { body: '@@ -1,0 +1,2 @@\n+ab\n' })]);
    expect(await body()).toEqual({ body: `ab${'🐝'.repeat(16_000)}`, is_current: true });
  });

  it('has an unknown body after a patch that does not apply, until it is written again', async () => {
    await index.apply([...begin, post('alice', 'honey')]);
    await edited({ body: '@@ -1,5 +1,5 @@\n-other\n+words\n' });
    expect(await body()).toEqual({ body: 'A text.', is_current: false });
    await edited({ body: 'New.' });
    expect(await body()).toEqual({ body: 'New.', is_current: true });
  });

  it('may begin like a patch', async () => {
    await index.apply([...begin, post('alice', 'honey', { body: '@@ -1,0 +1,2 @@\n+ab\n' })]);
    expect(await body()).toEqual({ body: '@@ -1,0 +1,2 @@\n+ab\n', is_current: true });
  });

  it('loses its body after the retention, but keeps it for mentions', async () => {
    index.retention = { notificationDays: 90, bodyDays: 90, keepsVotes: true };
    await index.apply([...begin, post('alice', 'honey')]);
    await index.applyAt(89 * 86_400, []);
    expect(await body()).toBeDefined();
    await index.applyAt(2 * 86_400, [post('alice', 'honey', { body: '@@ -1,0 +1,2 @@\n+ab\n' })]);
    expect(await body()).toBeUndefined();
  });

  it('loses its body in a later batch if too many expire at once', async () => {
    await index.apply([...begin, post('alice', 'honey')]);
    await index.execute(`INSERT INTO post_text SELECT n, 'epoch', '', true FROM generate_series(2, 20001) n`);
    index.retention = { notificationDays: 1, bodyDays: 1, keepsVotes: true };
    await index.applyAt(2 * 86_400, []);
    expect(await rowsOf('SELECT post_id FROM post_text')).toEqual([{ post_id: '1' }]);
    await index.apply([]);
    expect(await rowsOf('SELECT post_id FROM post_text')).toEqual([]);
  });

  it('loses its mentions, and notifications expire, in later batches if too many expire at once', async () => {
    await index.apply([...begin, post('alice', 'honey')]);
    await index.execute(`
      INSERT INTO notification (id, recipient_id, score) SELECT n, 1, 1 FROM generate_series(1, 50001) n;
      INSERT INTO mention SELECT n, 1, n FROM generate_series(1, 50001) n`);
    const expired = `
      SELECT array_agg(id) AS ids FROM (SELECT id FROM notification UNION ALL SELECT notification_id FROM mention) n (id)
      WHERE id <= 50001`;
    await index.applyAt(100 * 86_400, []);
    expect(await rowsOf(expired)).toEqual([{ ids: ['50001', '50001'] }]);
    await index.apply([]);
    expect(await rowsOf(expired)).toEqual([{ ids: null }]);
  });

  it('is a new one if it is written again after its deletion', async () => {
    await index.apply(
      [...begin, post('alice', 'honey', { title: 'Old' }), castVote('bob', honey), vote('bob', honey, 7, 9)],
      [reblog('carol', honey), deletion(honey)],
      [post('alice', 'honey', { title: 'New' })],
    );
    expect(await content()).toMatchObject({ title: 'New', revision: 0 });
    expect(await rowsOf('SELECT post_id, total_votes FROM payout')).toEqual([{ post_id: '2', total_votes: 0 }]);
    expect(await rowsOf('SELECT * FROM vote')).toEqual([]);
    expect(await rowsOf('SELECT post_id, account_id, is_reblog FROM blog_entry')).toEqual([
      { post_id: '2', account_id: 1, is_reblog: false },
    ]);
  });

  it('has the options of the last operation', async () => {
    const beneficiaries = Array.from({ length: 1_000 }, () => ({ account: 'bob', weight: 1 }));
    const extensions = [{ type: 'comment_payout_beneficiaries', value: { beneficiaries } }];
    await index.apply([...begin, post('alice', 'honey'), options(honey, { max: 7, percentHbd: 5, extensions })]);
    expect(await payout()).toMatchObject({
      ...{ max_accepted_payout: '7', percent_hbd: 5, allows_votes: true, allows_curation_rewards: false },
      beneficiaries: JSON.stringify(beneficiaries),
    });
    await index.apply([options(honey, { extensions: [null, 7, [0, { beneficiaries }], { type: 'other' }] })]);
    expect(await payout()).toMatchObject({ beneficiaries: null });
  });

  it('is promoted by HBD that is burned with its link', async () => {
    const hive: OperationSketch = transfer('null', 9, '@alice/honey');
    Object.assign(hive.value['amount'] as object, { nai: '@@000000021' });
    await index.apply([
      ...begin,
      post('alice', 'honey'),
      ...[transfer('null', 7, '@alice/honey'), transfer('bob', 9, '@alice/honey'), transfer('null', 2, '@alice/honey')],
      ...['alice/honey', '@alice/none', '@nobody/honey', '@alice/a/honey', '', '@/'].map((memo) =>
        transfer('null', 9, memo),
      ),
      hive,
    ]);
    expect(await payout()).toMatchObject({ promoted: '9' });
  });

  it('is muted for the reasons that apply to it', async () => {
    const council = 'hive-300001';
    const reasons = async () =>
      (await rowsOf('SELECT muted_reasons FROM post ORDER BY id')).map((row) => row['muted_reasons']);
    await index.apply([...begin, create(council), post('alice', 'honey', { category: council })]);
    await index.apply([reply('bob', 'sweet', honey)]);
    expect(await reasons()).toEqual([2, 6]);
    const account = { account: 'alice', permlink: 'honey', notes: 'x' };
    await index.apply([act(council, 'setRole', council, { account: 'alice', role: 'mod' })]);
    await index.apply([act('alice', 'unmutePost', council, account)], [act('alice', 'mutePost', council, account)]);
    expect(await reasons()).toEqual([1, 6]);
  });

  it('counts replies that are 255 deep', async () => {
    const chain = Array.from({ length: 255 }, (_, depth) =>
      reply('bob', `r${depth + 1}`, depth === 0 ? honey : { author: 'bob', permlink: `r${depth}` }),
    );
    await index.apply([...begin, post('alice', 'honey')], chain.slice(0, 128), chain.slice(128));
    await index.apply([deletion({ author: 'bob', permlink: 'r255' })]);
    expect(await rowsOf('SELECT children, root_id FROM post WHERE id IN (1, 2, 255, 256) ORDER BY id')).toEqual(
      [254, 253, 0, 0].map((children) => ({ children, root_id: '1' })),
    );
  });

  it('has the payout that was paid last, and the sum of the rewards of its author', async () => {
    const rewards = (author_rewards: number | string, payouts: readonly number[]) => {
      const names = ['total_payout_value', 'curator_payout_value', 'beneficiary_payout_value'];
      const sketch = rewarded(honey);
      const amounts = names.map((name, index_) => [name, { amount: String(payouts[index_]), precision: 3 }] as const);
      return { ...sketch, value: { ...sketch.value, author_rewards, ...Object.fromEntries(amounts) } };
    };
    await index.apply([...begin, post('alice', 'honey'), vote('bob', honey, 5, 9)]);
    await index.applyAt(7 * 86_400, [rewards(5, [1, 1, 1])], [rewards('6', [4, 3, 2]), paid(honey)]);
    expect(await payout()).toMatchObject({
      ...{ author_payout: '4', curator_payout: '3', beneficiary_payout: '2', author_rewards: '11' },
      ...{
        pending_payout: '0',
        is_paid: true,
        paid_at: new Date(Date.parse(`${index.date}Z`)),
        total_vote_weight: '0',
      },
    });
    expect(await rowsOf('SELECT * FROM ranked_post')).toEqual([]);
  });
});

describe('a vote', () => {
  const votes = () =>
    rowsOf('SELECT percent, changes, rshares, weight, is_effective, updated FROM vote ORDER BY post_id, voter_id');
  const start = [create('alice'), create('bob'), post('alice', 'honey')];
  const huge = '18446744073709551615';

  it('has the weight that the voter chose, and the effect that the chain computed', async () => {
    await index.apply(start);
    const updated = new Date(Date.parse(`${index.date}Z`));
    const effect = vote('bob', honey, 5, 9);
    Object.assign(effect.value, { weight: huge, total_vote_weight: huge });
    await index.apply([castVote('bob', honey, -5), effect]);
    expect(await votes()).toEqual([
      { percent: -5, changes: 0, rshares: '5', weight: huge, is_effective: true, updated },
    ]);
    expect(await rowsOf('SELECT total_vote_weight FROM payout')).toEqual([{ total_vote_weight: huge }]);
  });

  it('counts its changes, also to zero', async () => {
    await index.apply(start, [castVote('bob', honey), vote('bob', honey, 5, 9)]);
    await index.apply([castVote('bob', honey, 0), vote('bob', honey, 0, 0)]);
    expect(await votes()).toMatchObject([{ percent: 0, changes: 1, rshares: '0', is_effective: true }]);
    expect(await rowsOf('SELECT total_votes, net_votes, rshares FROM payout')).toEqual([
      { total_votes: 1, net_votes: 0, rshares: '0' },
    ]);
  });

  it.each([
    [true, [{ percent: 10_000, is_effective: true }, { percent: 1 }]],
    [false, []],
  ])('stays after the payout if votes are kept: %s', async (keepsVotes, expected) => {
    index.retention = { notificationDays: 90, bodyDays: null, keepsVotes };
    await index.apply([...start, create('carol')], [castVote('bob', honey), vote('bob', honey, 5, 9)], [paid(honey)]);
    await index.apply([castVote('carol', honey, 1)]);
    expect(await votes()).toMatchObject(expected);
    expect(await rowsOf('SELECT has_votes FROM index_state')).toEqual([{ has_votes: keepsVotes }]);
    expect(await rowsOf('SELECT total_votes FROM payout')).toEqual([{ total_votes: 1 }]);
  });

  it('is read once, although two operations change it', async () => {
    const both = [castVote('bob', honey), vote('bob', honey, 5, 9)];
    const rowsReadBy = async (operations: typeof both) => {
      const before = index.rowsRead;
      await index.apply(operations);
      return index.rowsRead - before;
    };
    await index.apply(start, both);
    expect(await rowsReadBy(both)).toBe(await rowsReadBy(both.slice(1)));
  });

  it('on a deleted post, or by an unknown account, is ignored', async () => {
    await index.apply(start, [
      deletion(honey),
      castVote('bob', honey),
      castVote('nobody', honey),
      vote('bob', honey, 5),
    ]);
    expect(await votes()).toEqual([]);
  });
});

describe('the blog of an account', () => {
  it('has its own posts, and the posts that it reblogged', async () => {
    await index.apply([create('alice'), create('bob'), post('alice', 'honey'), reply('bob', 'sweet', honey)]);
    const remove = (account: string) => custom(account, 'reblog', ['reblog', { account, ...honey, delete: 'delete' }]);
    const entries = () => rowsOf('SELECT account_id, post_id, is_reblog FROM blog_entry ORDER BY 1, 2');
    await index.apply([reblog('bob', honey), reblog('alice', honey)]);
    expect(await entries()).toEqual([
      { account_id: 1, post_id: '1', is_reblog: true },
      { account_id: 2, post_id: '1', is_reblog: true },
    ]);
    expect(await index.call('condenser_api.get_reblogged_by', ['alice', 'honey'])).toEqual(['bob']);
    await index.apply([remove('bob'), remove('alice')]);
    expect(await entries()).toEqual([]);
  });

  it('loses its own post if the account removes a reblog of it, until it reblogs it', async () => {
    await index.apply([create('alice'), post('alice', 'honey')]);
    await index.apply([custom('alice', 'reblog', ['reblog', { account: 'alice', ...honey, delete: 'delete' }])]);
    expect(await rowsOf('SELECT * FROM blog_entry')).toEqual([]);
    await index.apply([reblog('alice', honey)]);
    expect(await rowsOf('SELECT is_reblog FROM blog_entry')).toEqual([{ is_reblog: true }]);
  });
});
