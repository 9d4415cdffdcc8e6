import { IndexUnderTest } from '../support/index-under-test';
import { create, custom, deletion, follow, post, reblog } from '../support/operations';

const none = { follows: false, ignores: false, blacklists: false, follows_blacklists: false, follows_muted: false };

/** The actions that add an account to a list, remove it, and clear the list. */
const lists = [
  ['follows', 'blog', '', 'reset_following_list'],
  ['ignores', 'ignore', '', 'reset_muted_list'],
  ['blacklists', 'blacklist', 'unblacklist', 'reset_blacklist'],
  ['follows_blacklists', 'follow_blacklist', 'unfollow_blacklist', 'reset_follow_blacklist'],
  ['follows_muted', 'follow_muted', 'unfollow_muted', 'reset_follow_muted_list'],
] as const;

describe('follow lists', () => {
  let index: IndexUnderTest;
  const between = (one: string, other: string) => index.call('bridge.get_relationship_between_accounts', [one, other]);
  const names = async (method: string, ...params: unknown[]) =>
    ((await index.call(method, params)) as { follower: string; following: string }[]).map(
      ({ follower, following }) => `${follower} ${following}`,
    );

  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  beforeEach(async () => {
    await index.reset();
    await index.apply(['alice', 'bob', 'carol', 'dan'].map((name) => create(name)));
  });
  afterAll(() => index.stop());

  it.each(lists)('%s: %s adds and %j removes an account', async (list, onto, off) => {
    await index.apply([follow('alice', 'bob', onto)]);
    expect(await between('alice', 'bob')).toEqual({ ...none, [list]: true });
    expect(await between('bob', 'alice')).toEqual(none);
    await index.apply([follow('alice', 'bob', off)]);
    expect(await between('alice', 'bob')).toEqual(none);
  });

  const withFirst = (first: unknown) =>
    custom('alice', 'follow', ['follow', { follower: 'alice', following: 'bob', what: [first, 'blacklist'] }]);

  // hivemind reads `first(op['what']) or ''` (`Follow._validate_op` in hive/indexer/follow.py): what is false in Python
  // is an empty string.
  it.each(['', null, false, 0, [], {}])('are left by an operation whose `what` begins with %j', async (first) => {
    for (const list of ['blog', 'ignore']) {
      await index.apply([follow('alice', 'bob', list)], [withFirst(first)]);
      expect(await between('alice', 'bob')).toEqual(none);
    }
  });

  it.each([true, 1, '0', ' ', [[]], { '': '' }, 'unfollow'])(
    'are not changed by an operation whose `what` begins with %j',
    async (first) => {
      await index.apply([follow('alice', 'bob'), withFirst(first)]);
      expect(await between('alice', 'bob')).toEqual({ ...none, follows: true });
    },
  );

  it.each(lists)('%s: %s adds accounts, and a reset removes all of them', async (list, onto, _off, reset) => {
    await index.apply([follow('alice', ['bob', 'carol'], onto), follow('dan', 'bob', onto)]);
    for (const [, other] of lists)
      if (!['blog', 'ignore'].includes(other)) await index.apply([follow('alice', 'bob', other)]);
    await index.apply([follow('alice', 'dan', reset)]);
    expect(await between('alice', 'bob')).toMatchObject({ [list]: false });
    expect(await between('alice', 'carol')).toEqual(none);
    expect(await between('dan', 'bob')).toEqual({ ...none, [list]: true });
    await index.apply([follow('alice', '', 'reset_all_lists')]);
    expect(await between('alice', 'bob')).toEqual(none);
  });

  it.each(
    lists.flatMap(([list, onto, , reset]) => [null, '', [], 7].map((value) => [list, onto, reset, value] as const)),
  )('%s: %s is undone by %s with following %j', async (list, onto, reset, following) => {
    await index.apply([follow('alice', 'bob', onto)]);
    expect(await between('alice', 'bob')).toEqual({ ...none, [list]: true });
    await index.apply([custom('alice', 'follow', ['follow', { follower: 'alice', following, what: [reset] }])]);
    expect(await between('alice', 'bob')).toEqual(none);
  });

  // hivemind ignores an operation without the key (`Follow._validate_op`).
  it.each([...lists, ['follows', 'blog', '', 'reset_all_lists'] as const])(
    '%s: %s is not undone by %j or %s without the key `following`',
    async (list, onto, off, reset) => {
      await index.apply([follow('alice', 'bob', onto)]);
      for (const what of [off, reset])
        await index.apply([custom('alice', 'follow', ['follow', { follower: 'alice', what: [what] }])]);
      expect(await between('alice', 'bob')).toEqual({ ...none, [list]: true });
    },
  );

  it('never contain an account as both followed and muted', async () => {
    await index.apply([follow('alice', 'bob'), follow('alice', 'bob', 'ignore')]);
    expect(await between('alice', 'bob')).toEqual({ ...none, ignores: true });
    await index.apply([follow('alice', 'bob', 'follow')]);
    expect(await between('alice', 'bob')).toEqual({ ...none, follows: true });
  });

  it('are counted, and returned in pages by name', async () => {
    await index.apply([
      follow('dan', 'alice'),
      follow('bob', 'alice'),
      follow('carol', 'alice'),
      follow('alice', 'dan'),
    ]);
    expect(await names('condenser_api.get_followers', 'alice')).toEqual(['bob alice', 'carol alice', 'dan alice']);
    expect(await names('condenser_api.get_followers', 'alice', 'bob', 'blog', 1)).toEqual(['carol alice']);
    expect(await names('follow_api.get_following', 'alice', null, 'blog', 10)).toEqual(['alice dan']);
    const count = { account: 'alice', follower_count: 3, following_count: 1 };
    expect(await index.call('follow_api.get_follow_count', ['alice'])).toEqual(count);
    await index.apply([follow('bob', 'alice', 'ignore'), follow('dan', 'alice', '')]);
    expect(await index.call('condenser_api.get_follow_count', ['alice'])).toEqual({ ...count, follower_count: 1 });
    expect(await index.call('condenser_api.get_followers', ['alice', '', 'ignore', 10])).toEqual([
      { follower: 'bob', following: 'alice', what: ['ignore'] },
    ]);
  });

  describe('that an account follows are returned with their descriptions', () => {
    const profile = (muted: string, blacklist?: string) =>
      JSON.stringify({ profile: { muted_list_description: muted, blacklist_description: blacklist } });
    const update = (account: string, json_metadata: string, posting_json_metadata: string) => ({
      type: 'account_update2_operation',
      isVirtual: false,
      value: { account, json_metadata, posting_json_metadata },
    });
    const followed = () => index.call('bridge.get_follow_list', ['alice', 'follow_muted']);
    const bob = (muted: string, blacklist = '') => ({
      name: 'bob',
      blacklist_description: blacklist,
      muted_list_description: muted,
    });

    it('only in lists of lists', async () => {
      await index.apply([
        create('eve', profile('Loud ones')),
        update('bob', '', profile('Wasps', 'Hornets')),
        follow('alice', ['bob', 'eve'], 'follow_muted'),
        follow('alice', 'bob', 'ignore'),
      ]);
      expect(await followed()).toEqual([
        bob('Wasps', 'Hornets'),
        { name: 'eve', blacklist_description: '', muted_list_description: 'Loud ones' },
      ]);
      expect(await index.call('bridge.get_follow_list', ['alice', 'muted'])).toEqual([bob('')]);
      expect(await index.call('bridge.does_user_follow_any_lists', ['alice'])).toBe(true);
      expect(await index.call('bridge.does_user_follow_any_lists', ['bob'])).toBe(false);
    });

    it('from posting_json_metadata as long as there is a profile, otherwise from json_metadata', async () => {
      await index.apply([follow('alice', 'bob', 'follow_muted'), update('bob', profile('old'), profile('Wasps'))]);
      expect(await followed()).toEqual([bob('Wasps')]);
      // Empty metadata are not changed.
      await index.apply([update('bob', profile('Hornets', 'Bears'), '')]);
      expect(await followed()).toEqual([bob('Wasps')]);
      await index.apply([update('bob', '', profile(''))]);
      expect(await followed()).toEqual([bob('')]);
      await index.apply([update('bob', '', '{}')]);
      expect(await followed()).toEqual([bob('Hornets', 'Bears')]);
      await index.apply([update('bob', '{"profile":7}', '')]);
      expect(await followed()).toEqual([bob('')]);
    });

    it.each(['constructor', '__proto__', '7'])('from a profile with the key %s', async (key) => {
      const metadata = `{"profile":{"${key}":{},"muted_list_description":"Wasps"}}`;
      await index.apply([follow('alice', 'bob', 'follow_muted'), update('bob', '', metadata)]);
      expect(await followed()).toEqual([bob('Wasps')]);
    });

    it('shortened to 256 characters', async () => {
      await index.apply([
        follow('alice', 'bob', 'follow_muted'),
        update('bob', '', profile('🐝'.repeat(256), 'x'.repeat(257))),
      ]);
      expect(await followed()).toEqual([bob('🐝'.repeat(256), `${'x'.repeat(253)}...`)]);
    });
  });

  it('no longer return reblogs of a deleted post', async () => {
    const honey = { author: 'alice', permlink: 'honey' };
    await index.apply([post('alice', 'honey'), reblog('carol', honey), reblog('bob', honey), reblog('alice', honey)]);
    expect(await index.call('condenser_api.get_reblogged_by', ['alice', 'honey'])).toEqual(['bob', 'carol']);
    await index.apply([custom('bob', 'reblog', ['reblog', { account: 'bob', ...honey, delete: 'delete' }])]);
    expect(await index.call('follow_api.get_reblogged_by', honey)).toEqual(['carol']);
    await index.apply([deletion(honey)], [post('alice', 'honey')]);
    expect(await index.call('condenser_api.get_reblogged_by', honey)).toEqual([]);
  });

  it('keep reblogs of a post whose deletion had no effect', async () => {
    const honey = { author: 'alice', permlink: 'honey' };
    const inVain = { type: 'ineffective_delete_comment_operation', isVirtual: true, value: honey };
    await index.apply([post('alice', 'honey'), reblog('bob', honey)]);
    // In the same transaction as the deletion.
    await index.apply([
      { ...deletion(honey), transaction: 'same' },
      { ...inVain, transaction: 'same' },
    ]);
    expect(await index.call('condenser_api.get_reblogged_by', honey)).toEqual(['bob']);
  });
});
