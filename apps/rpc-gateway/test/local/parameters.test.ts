import { rpcErrorCodes } from '@waggle/contracts';
import { IndexUnderTest } from '../support/index-under-test';
import { create, deletion, follow, post } from '../support/operations';

const bees = 'hive-100001';

type Rejected = readonly [method: string, params: object | undefined, message: string];

const notifications = 'bridge.account_notifications';
const ranked = 'bridge.get_ranked_posts';

const rejected: readonly Rejected[] = [
  [notifications, {}, "missing a required argument: 'account'"],
  [notifications, { account: null }, "missing a required argument: 'account'"],
  [notifications, [], "missing a required argument: 'account'"],
  [notifications, undefined, "missing a required argument: 'account'"],
  [notifications, { account: '' }, 'invalid account (not specified)'],
  [notifications, { account: 'al' }, 'invalid account name length: `al`'],
  [notifications, { account: 'a-name-that-is-17' }, 'invalid account name length: `a-name-that-is-17`'],
  [notifications, { account: 'Alice' }, 'invalid account char'],
  [notifications, { account: 'älice' }, 'invalid account char'],
  [notifications, { account: '-alice' }, 'invalid account char'],
  [notifications, { account: 'nobody-here' }, 'Account nobody-here does not exist'],
  [notifications, { account: 7 }, 'invalid account type'],
  [notifications, { account: ['alice'] }, 'invalid account type'],
  [notifications, { account: 'alice', extra: 1 }, "got an unexpected keyword argument 'extra'"],
  [notifications, { account: 'alice', __proto__x: 1 }, "got an unexpected keyword argument '__proto__x'"],
  [notifications, ['alice', 0, 0, 10, 5], 'too many positional arguments'],
  [notifications, { account: 'alice', limit: 0 }, 'limit = 0 outside valid range [1:100]'],
  [notifications, { account: 'alice', limit: 101 }, 'limit = 101 outside valid range [1:100]'],
  [notifications, { account: 'alice', limit: '101' }, 'limit = 101 outside valid range [1:100]'],
  [notifications, { account: 'alice', limit: 'ten' }, "invalid literal for int() with base 10: 'ten'"],
  [notifications, { account: 'alice', limit: 1.5 }, "invalid literal for int() with base 10: '1.5'"],
  [notifications, { account: 'alice', limit: 1e300 }, `limit = ${BigInt(1e300)} outside valid range [1:100]`],
  [notifications, { account: 'alice', limit: true }, 'invalid limit type'],
  [notifications, { account: 'alice', limit: {} }, 'invalid limit type'],
  [notifications, { account: 'alice', min_score: -1 }, 'score = -1 outside valid range [0:100]'],
  [notifications, { account: 'alice', min_score: 101 }, 'score = 101 outside valid range [0:100]'],
  [notifications, { account: 'alice', last_id: 'x' }, "invalid literal for int() with base 10: 'x'"],
  ['bridge.unread_notifications', { account: 7 }, 'invalid account name type'],
  ['bridge.post_notifications', { author: 'alice' }, "missing a required argument: 'permlink'"],
  ['bridge.post_notifications', { author: 'alice', permlink: '' }, 'permlink cannot be blank'],
  ['bridge.post_notifications', { author: 'alice', permlink: 7 }, 'permlink must be string'],
  ['bridge.post_notifications', { author: 'alice', permlink: 'nowhere' }, 'Post alice/nowhere does not exist'],
  // hivemind counts the deletions of a link that is not in use (`find_comment_id`).
  ['bridge.post_notifications', { author: 'alice', permlink: 'once' }, 'Post alice/once was deleted 1 time(s)'],
  ['bridge.post_notifications', { author: 'alice', permlink: 'twice' }, 'Post alice/twice was deleted 2 time(s)'],
  ['bridge.post_notifications', { author: 'carol', permlink: 'once' }, 'Post carol/once does not exist'],
  ['condenser_api.get_reblogged_by', ['alice', 'twice'], 'Post alice/twice was deleted 2 time(s)'],
  ['condenser_api.get_reblogged_by', ['', 'once'], 'Post /once does not exist'],
  ['bridge.get_community', { name: '' }, 'community name cannot be blank'],
  ['bridge.get_community', { name: 'bees' }, 'given community name is not valid'],
  ['bridge.get_community', { name: 'hive-199999' }, 'Community hive-199999 does not exist'],
  ['bridge.get_community', { name: bees, observer: 'nobody-here' }, 'Account nobody-here does not exist'],
  ['bridge.list_communities', { sort: 'size' }, 'Unsupported sort, valid sorts: rank, new, subs'],
  ['bridge.list_communities', { query: 7 }, 'invalid query type'],
  ['bridge.list_communities', { query: 'bee '.repeat(65) }, 'invalid query length'],
  ['bridge.list_community_roles', { community: bees, last: 'alice' }, 'invalid last'],
  ['bridge.list_subscribers', { community: bees, last: 'alice' }, `alice subscription on ${bees} does not exist`],
  [
    'bridge.list_subscribers',
    { community: bees, last: 'nobody-here' },
    `nobody-here subscription on ${bees} does not exist`,
  ],
  ['condenser_api.get_reblogged_by', ['al', ''], 'permlink cannot be blank'],
  ['condenser_api.get_reblogged_by', ['al', 'honey'], 'invalid account name length: `al`'],
  ['condenser_api.get_reblogged_by', ['', 'honey'], 'Post /honey does not exist'],
  ...(
    [
      [notifications, { account: '@alice' }],
      ['bridge.get_community', { name: bees, observer: '@alice' }],
      ['bridge.list_subscribers', { community: bees, last: '@alice' }],
      ['bridge.get_relationship_between_accounts', ['alice', '@carol']],
      ['bridge.get_follow_list', { observer: '@alice' }],
      ['bridge.post_notifications', ['@alice', 'honey']],
      ['condenser_api.get_following', ['alice', '@carol']],
      ['condenser_api.get_reblogged_by', ['@alice', 'honey']],
    ] as const
  ).map(([method, params]): Rejected => [method, params, 'invalid account name char `@`']),
  [
    'bridge.get_follow_list',
    { observer: 'alice', follow_type: 'loved' },
    'Unsupported follow_type, valid values: blacklisted, follow_blacklist, muted, follow_muted',
  ],
  ['condenser_api.get_followers', ['alice', null, 'loved'], 'Unsupported follow type, valid types: blog, ignore'],
  ['condenser_api.get_followers', { account: 'alice', type: 'blog' }, "got an unexpected keyword argument 'type'"],
  [
    'follow_api.get_followers',
    { account: 'alice', follow_type: 'blog' },
    "got an unexpected keyword argument 'follow_type'",
  ],
  ['condenser_api.get_following', ['alice', 'nobody-here'], 'Account nobody-here does not exist'],
  ['condenser_api.get_following', ['alice', '', 'blog', 1001], 'limit = 1001 outside valid range [1:1000]'],
  [ranked, {}, "missing a required argument: 'sort'"],
  [
    ranked,
    { sort: 'promoted' },
    'Unsupported sort, valid sorts: trending, hot, created, payout, payout_comments, muted',
  ],
  [ranked, { sort: 7 }, 'invalid sort type'],
  [ranked, { sort: 'hot', limit: 0 }, 'limit = 0 outside valid range [1:20]'],
  [ranked, { sort: 'hot', limit: 21 }, 'limit = 21 outside valid range [1:20]'],
  [ranked, { sort: 'hot', limit: [] }, 'invalid limit type'],
  [ranked, { sort: 'hot', tag: 'Bees' }, 'invalid tag `Bees`'],
  [ranked, { sort: 'hot', tag: 7 }, 'invalid tag type'],
  [ranked, { sort: 'hot', tag: 'wax' }, 'Tag wax does not exist'],
  [ranked, { sort: 'payout', tag: 'wax' }, 'Category wax does not exist'],
  [ranked, { sort: 'hot', tag: 'hive-123' }, 'Tag hive-123 does not exist'],
  [ranked, { sort: 'hot', tag: 'my' }, 'invalid account (not specified)'],
  [ranked, { sort: 'hot', observer: 'nobody-here' }, 'Account nobody-here does not exist'],
  [ranked, { sort: 'hot', start_author: 'Alice' }, 'invalid account char'],
  [ranked, { sort: 'hot', start_author: 'alice', start_permlink: 7 }, 'permlink must be string'],
  [ranked, { sort: 'hot', start_author: 'alice' }, 'Post alice/ does not exist'],
  [ranked, { sort: 'hot', start_permlink: 'honey' }, 'Post /honey does not exist'],
  [ranked, { sort: 'hot', start_author: 'nobody-here', start_permlink: 'x' }, 'Post nobody-here/x does not exist'],
  [ranked, { sort: 'hot', start_author: 'alice', start_permlink: 'once' }, 'Post alice/once was deleted 1 time(s)'],
  [ranked, { sort: 'hot', muted_reasons_filter: 'x' }, 'invalid muted_reasons_filter type'],
  [ranked, { sort: 'hot', muted_reasons_filter: [5] }, 'Invalid muted reason: 5. Must be between 0-4.'],
  [ranked, { sort: 'hot', muted_reasons_filter: [null] }, 'invalid muted_reasons_filter type'],
  [
    'bridge.get_account_posts',
    { sort: 'x', account: 'alice' },
    'Unsupported sort, valid sorts: blog, feed, posts, comments, replies, payout',
  ],
  ['bridge.get_account_posts', { sort: 'blog', account: 'nobody-here' }, 'Account nobody-here does not exist'],
  ['bridge.get_account_posts_by_tag', { account: 'alice' }, "missing a required argument: 'tag'"],
  ['bridge.get_account_posts_by_tag', { account: 'alice', tag: '' }, 'tag was blank'],
  ['bridge.normalize_post', {}, "missing a required argument: 'post'"],
  ['bridge.normalize_post', { post: 'alice/honey' }, 'invalid post type'],
  ['bridge.normalize_post', { post: { permlink: 'honey' } }, 'invalid account (not specified)'],
  ['bridge.normalize_post', { post: { author: 'alice', permlink: 7 } }, 'permlink must be string'],
  ['bridge.normalize_post', { post: { author: 'alice', permlink: 'once' } }, 'Post alice/once was deleted 1 time(s)'],
  ['bridge.get_discussion', ['alice', ''], 'permlink cannot be blank'],
  ['bridge.get_payout_stats', [251], 'limit = 251 outside valid range [1:250]'],
  ['condenser_api.get_content', ['nobody-here', 'x'], 'Post nobody-here/x does not exist'],
  ['condenser_api.get_discussions_by_hot', { filter_tags: ['x'] }, 'filter_tags not supported'],
  ['condenser_api.get_discussions_by_hot', { filter_tags: 'x' }, 'invalid filter_tags type'],
  ['condenser_api.get_discussions_by_hot', { truncate_body: 'five' }, "invalid literal for int() with base 10: 'five'"],
  ['condenser_api.get_discussions_by_hot', { start_author: 7 }, 'invalid account name type'],
  ['condenser_api.get_discussions_by_blog', { tag: '' }, 'invalid account (not specified)'],
  ['condenser_api.get_blog', ['alice', -2, 500], 'offset cannot be negative'],
  [
    'condenser_api.get_blog',
    ['alice', 99_999_999_999],
    'start_entry_id = 99999999999 outside valid range [-1:2147483647]',
  ],
  ['condenser_api.get_blog', ['alice', 0, 21], 'limit = 21 outside valid range [1:20]'],
  ['condenser_api.get_blog_entries', ['alice', 0, 501], 'limit = 501 outside valid range [1:500]'],
  ['condenser_api.get_trending_tags', ['wax'], 'Category wax does not exist'],
  ['database_api.find_comments', { comments: {} }, 'invalid comments type'],
  [
    'database_api.find_comments',
    { comments: Array.from({ length: 1_001 }, () => ['a', 'b']) },
    'Parameters count is greather than max allowed (1000)',
  ],
  ['database_api.list_comments', { start: [], limit: 1 }, "missing a required argument: 'order'"],
  [
    'database_api.list_comments',
    { start: ['alice'], limit: 1, order: 'by_permlink' },
    "Expecting two arguments in 'start' array: author and permlink",
  ],
  [
    'database_api.list_comments',
    { start: ['alice', 'x', '', ''], limit: 1, order: 'by_last_update' },
    'Date should be in format Y-m-d H:M:S or Y-m-dTH:M:S',
  ],
  ['database_api.list_comments', { start: ['', '', ''], limit: 1, order: 'by_cashout_time' }, 'Date is blank'],
  [
    'database_api.list_votes',
    { start: ['alice', 'honey'], limit: 1, order: 'by_comment_voter' },
    "Expecting 3 arguments in 'start' array: post author and permlink, optional page start voter",
  ],
  [
    'database_api.list_votes',
    { start: ['', 'alice', 'honey'], limit: 1, order: 'by_voter_comment' },
    'invalid account (not specified)',
  ],
];

describe('parameters of local methods', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
    await index.apply([create('alice'), create('carol'), create(bees), post('alice', 'honey')]);
    await index.apply([follow('carol', 'alice'), follow(bees, 'alice')]);
    const writeAndDelete = (permlink: string) => [post('alice', permlink), deletion({ author: 'alice', permlink })];
    await index.apply(writeAndDelete('once'), writeAndDelete('twice'), writeAndDelete('twice'));
    await index.apply([...writeAndDelete('again'), post('alice', 'again')]);
  });
  afterAll(() => index.stop());

  it.each(rejected)('%s with %j: %s', async (method, params, message) => {
    await expect(index.call(method, params)).rejects.toMatchObject({
      code: rpcErrorCodes.invalidParams,
      message: `Assert Exception:${message}`,
      data: { code: 10, name: 'assert_exception', extension: { assertion_expression: message } },
    });
  });

  it.each([
    [notifications, { account: 'al' }, '1a2b3c4d5e6f7a8b9c0d'],
    [notifications, { account: '' }, '1a2b3c4d5e6f7a8b9c0d'],
    [notifications, { account: 'nobody-here' }, '1a2b3c4d5e6f7a8b9c0d'],
    [notifications, { account: 7 }, '3c4d5e6f7a8b9c0d1e2f'],
    [notifications, { account: 'alice', limit: 0 }, '3c4d5e6f7a8b9c0d1e2f'],
    ['bridge.post_notifications', ['alice', ''], '2b3c4d5e6f7a8b9c0d1e'],
    ['bridge.post_notifications', ['alice', 7], '3c4d5e6f7a8b9c0d1e2f'],
    ['bridge.post_notifications', ['alice', 'nowhere'], '4d5e6f7a8b9c0d1e2f3a'],
    ['bridge.get_community', { name: '' }, '6f7a8b9c0d1e2f3a4b5c'],
    ['bridge.get_community', { name: 'bees' }, '6f7a8b9c0d1e2f3a4b5c'],
    ['bridge.get_community', { name: 7 }, '3c4d5e6f7a8b9c0d1e2f'],
    ['bridge.get_community', { name: 'hive-199999' }, '3c4d5e6f7a8b9c0d1e2f'],
  ])('%s with %j: the data contains the kind of error', async (method, params, assert_hash) => {
    const context = { level: 'error', file: '', line: 0, method: '', hostname: '', thread_name: '' };
    await expect(index.call(method, params)).rejects.toMatchObject({
      data: {
        message: 'Assert Exception',
        stack: [
          {
            context: { ...context, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) },
            format: '',
            data: { category: 'hivemind' },
          },
        ],
        assert_hash,
      },
    });
  });

  it('may name a post whose link was used before', async () => {
    expect(await index.call('bridge.post_notifications', { author: 'alice', permlink: 'again' })).toEqual([]);
  });

  it('may be an object, an array, or an array with one object', async () => {
    const byName = { account: 'alice', limit: 1, min_score: 0 };
    const [first] = (await index.call(notifications, byName)) as object[];
    expect(first).toMatchObject({ type: 'follow' });
    expect(await index.call(notifications, [byName])).toEqual([first]);
    expect(await index.call(notifications, ['alice', 0, null, 1])).toEqual([first]);
    expect(await index.call(notifications, ['alice', '0', null, '1'])).toEqual([first]);
    expect(await index.call(notifications, { account: 'alice', last_id: -1e300 })).toEqual([]);
  });

  it('have a different error message for `call` if their number is wrong', async () => {
    await expect(index.callBy('condenser_api.get_follow_count', [])).rejects.toThrow('expected 1 params');
    await expect(index.callBy('condenser_api.get_follow_count', ['alice', 2])).rejects.toThrow('expected 1 params');
    expect(await index.callBy('condenser_api.get_follow_count', ['alice'])).toMatchObject({ follower_count: 2 });
  });

  it('may name accounts that exist on a node but are not indexed', async () => {
    // An account of the devnet's genesis.
    expect(await index.call(notifications, { account: 'bob' })).toEqual([]);
    expect(await index.call('bridge.unread_notifications', { account: 'bob' })).toEqual({
      lastread: '1970-01-01 00:00:00',
      unread: 0,
    });
    expect(await index.call('condenser_api.get_follow_count', ['bob'])).toMatchObject({ following_count: 0 });
    expect(await index.call('bridge.get_relationship_between_accounts', ['bob', 'alice'])).toMatchObject({
      follows: false,
    });
  });
});
