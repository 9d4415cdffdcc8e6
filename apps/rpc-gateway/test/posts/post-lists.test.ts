import { Random } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { IndexUnderTest } from '../support/index-under-test';
import { RandomHistory } from '../support/random-history';
import { PostModel, type ModelPost } from './post-model';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const blocks = isLong ? 2_000 : 400;
const observers = isLong ? ['', 'alice', 'bob'] : ['', 'alice'];
/** Reasons for which posts are muted, that are left out of a ranking. */
const reasonLists = isLong ? [[], [0], [1, 3], [4]] : [[], [1, 3]];

interface ListedPost {
  readonly author: string;
  readonly permlink: string;
}

const linkOf = ({ author, permlink }: ListedPost) => `${author}/${permlink}`;

/**
 * Lists of posts on an index that was built from a random history, compared with a model that sorts and filters the
 * rows of the tables.
 */
describe(`lists of posts (SEED=${seed})`, () => {
  let index: IndexUnderTest;
  let client: Client;
  let model: PostModel;
  const random = new Random(seed);

  beforeAll(async () => {
    index = await IndexUnderTest.start();
    await index.applyTimed(new RandomHistory(random).blocks(blocks).map((operations) => ({ operations, seconds: 3 })));
    client = new Client({ connectionString: index.database.url });
    await client.connect();
    // Some authors have a reputation that makes their posts gray.
    await client.query('UPDATE account SET reputation = -1000000000000 WHERE id % 5 = 0');
    // A moderator may pin a comment too.
    await client.query(`
      UPDATE post SET is_pinned = true
      WHERE id = (
        SELECT min(p.id) FROM post p JOIN account c ON c.id = p.community_id
        WHERE c.name = 'hive-100001' AND p.depth > 0 AND p.muted_reasons = 0 AND NOT p.is_deleted)`);
    // Some edits are patches that do not match. The devnet does not know these posts, so the index needs their bodies.
    await client.query(`
      UPDATE post_text SET is_current = true;
      INSERT INTO post_text SELECT id, created, '', true FROM post ON CONFLICT DO NOTHING`);
    model = await PostModel.read(client);
  });
  afterAll(async () => {
    await client.end();
    await index.stop();
  });

  /** Reads all pages of a list. */
  const pagesOf = async (method: string, params: object): Promise<string[]> => {
    const links: string[] = [];
    let start = {};
    for (;;) {
      const page = (await index.call(method, { ...params, ...start, limit: 3 })) as ListedPost[];
      links.push(...page.map(linkOf));
      const last = page.at(-1);
      if (last === undefined || page.length < 3) return links;
      start = { start_author: last.author, start_permlink: last.permlink };
    }
  };
  const links = (posts: readonly ModelPost[]) => posts.map(linkOf);

  const sorts = ['trending', 'hot', 'created', 'payout', 'payout_comments', 'muted'] as const;

  it.each(sorts)('%s: every page continues the previous one, for all tags and observers', async (sort) => {
    let compared = 0;
    for (const tag of ['', 'my', 'hive-100001', 'hive-200001', 'bees', 'wax'])
      for (const observer of observers)
        for (const reasons of reasonLists) {
          if (tag === 'my' && observer === '') continue;
          // No post has this category, which is an error.
          if (tag === 'wax' && sort.startsWith('payout') && !model.posts.some(({ category }) => category === tag))
            continue;
          const expected = links(model.ranked(sort, { tag, observer, reasons }));
          const params = { sort, tag, observer, muted_reasons_filter: reasons };
          expect({ params, links: await pagesOf('bridge.get_ranked_posts', params) }).toEqual({
            params,
            links: expected,
          });
          compared += expected.length;
        }
    // The history is too short for payouts, and may mute no post.
    if (sort !== 'payout' && sort !== 'muted') expect(compared).toBeGreaterThan(0);
  });

  it.each(['blog', 'feed', 'posts', 'comments', 'replies', 'payout'] as const)(
    '%s: every page continues the previous one, for all accounts and observers',
    async (sort) => {
      let compared = 0;
      for (const account of model.accounts)
        for (const observer of observers) {
          const expected = links(model.ofAccount(sort, { account, observer }));
          const params = { sort, account, observer };
          expect({ params, links: await pagesOf('bridge.get_account_posts', params) }).toEqual({
            params,
            links: expected,
          });
          compared += expected.length;
        }
      expect(compared).toBeGreaterThan(0);
    },
  );

  it('feed: has the same posts if the account follows thousands', async () => {
    await client.query('UPDATE account SET following = following + 5000');
    for (const account of model.accounts)
      for (const observer of ['', 'alice']) {
        const params = { sort: 'feed', account, observer };
        const expected = links(model.ofAccount('feed', { account, observer }));
        expect({ params, links: await pagesOf('bridge.get_account_posts', params) }).toEqual({
          params,
          links: expected,
        });
      }
    await client.query('UPDATE account SET following = following - 5000');
  });

  it('of condenser_api have the same posts, except that blogs have those in communities too', async () => {
    for (const account of model.accounts) {
      expect(await pagesOf('condenser_api.get_discussions_by_blog', { tag: account })).toEqual(
        links(model.ofAccount('full_blog', { account, observer: '' })),
      );
      expect(await pagesOf('condenser_api.get_discussions_by_feed', { tag: account })).toEqual(
        links(model.ofAccount('feed', { account, observer: '' })),
      );
    }
    for (const sort of ['trending', 'hot', 'created'] as const)
      expect(await pagesOf(`condenser_api.get_discussions_by_${sort}`, {})).toEqual(
        links(model.ranked(sort, { tag: '', observer: '', reasons: [] })),
      );
  });

  it('in a discussion are all replies below a post, without the threads of muted accounts', async () => {
    let compared = 0;
    for (const post of model.posts)
      for (const observer of ['', 'alice']) {
        const { author, permlink } = post;
        const found = (await index.call('bridge.get_discussion', { author, permlink, observer })) as object;
        const expected = links(model.discussion(post, observer));
        expect(Object.keys(found).sort()).toEqual(expected.sort());
        compared += expected.length;
      }
    expect(compared).toBeGreaterThan(model.posts.length);
  });

  it('by permlink, root and parent list every comment once', async () => {
    const list = async (start: readonly string[], order: string) => {
      const { comments } = (await index.call('database_api.list_comments', { start, limit: 1_000, order })) as {
        comments: ListedPost[];
      };
      return comments.map(linkOf);
    };
    const unmuted = model.posts.filter(({ mutedReasons }) => mutedReasons === 0);
    const byName = unmuted.toSorted((one, other) =>
      one.author === other.author ? compare(one.permlink, other.permlink) : compare(one.author, other.author),
    );
    expect(await list(['', ''], 'by_permlink')).toEqual(links(byName));
    const middle = byName[Math.floor(byName.length / 2)];
    expect(await list([middle?.author ?? '', middle?.permlink ?? ''], 'by_permlink')).toEqual(
      links(byName.slice(Math.floor(byName.length / 2))),
    );
    for (const { id, rootId, author, permlink } of model.posts) {
      expect(await list([author, permlink, '', ''], 'by_parent')).toEqual(
        links(unmuted.filter(({ parentId }) => parentId === id)),
      );
      if (rootId === id)
        expect(await list([author, permlink, '', ''], 'by_root')).toEqual(
          links(unmuted.filter((each) => each.rootId === id)),
        );
    }
    for (const account of model.accounts) {
      const start = [account, '2100-01-01T00:00:00', '', ''];
      expect((await list(start, 'by_author_last_update')).sort()).toEqual(
        links(unmuted.filter(({ author }) => author === account)).sort(),
      );
    }
    expect((await list(['1970-01-01T00:00:00', '', ''], 'by_cashout_time')).sort()).toEqual(links(unmuted).sort());
  });
});

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
