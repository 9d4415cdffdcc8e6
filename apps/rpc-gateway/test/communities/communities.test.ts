import { IndexUnderTest } from '../support/index-under-test';
import { act, create, deletion, paid, post, reply, vote } from '../support/operations';

const bees = 'hive-100001';
const comb = { author: 'alice', permlink: 'comb' };
const onComb = { account: 'alice', permlink: 'comb' };

describe('communities', () => {
  let index: IndexUnderTest;
  const errorsOf = (name: string) => index.messages(name, 'error');
  const roles = () => index.call('bridge.list_community_roles', { community: bees });
  const community = (name = bees) => index.call('bridge.get_community', { name });

  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  beforeEach(async () => {
    await index.reset();
    await index.apply(
      ['alice', 'bob', 'carol', 'dan', bees, 'hive-100002'].map((name) => create(name)),
      [
        act(bees, 'setRole', bees, { account: 'carol', role: 'mod' }),
        act(bees, 'setRole', bees, { account: 'dan', role: 'admin' }),
      ],
      [post('alice', 'comb', { category: bees }), post('alice', 'elsewhere')],
    );
  });
  afterAll(() => index.stop());

  it('are accounts with a name of a certain pattern, and own themselves', async () => {
    await index.apply([create('hive-10000'), create('hive-400001'), create('hive-1000'), create('hive-1000000')]);
    expect(await community('hive-10000')).toEqual(
      expect.objectContaining({
        name: 'hive-10000',
        title: '@hive-10000',
        type_id: 1,
        team: [['hive-10000', 'owner', '']],
      }),
    );
    for (const name of ['hive-1000', 'hive-400001']) {
      await expect(index.call('bridge.get_community', { name })).rejects.toThrow('given community name is not valid');
    }
    expect(await community('hive-1000000')).toEqual(expect.objectContaining({ type_id: 1 }));
  });

  describe('setRole', () => {
    const set = (actor: string, account: string, role: string) =>
      index.apply([act(actor, 'setRole', bees, { account, role })]);

    it.each([
      [bees, 'bob', 'admin'],
      ['dan', 'bob', 'mod'],
      ['carol', 'bob', 'member'],
      ['carol', 'bob', 'muted'],
      ['carol', 'carol', 'guest'],
    ])('lets %s make %s a %s', async (actor, account, role) => {
      await set(actor, account, role);
      expect(await index.call('bridge.get_community_context', { name: bees, account })).toMatchObject({ role });
    });

    it.each([
      ['bob', 'alice', 'member', 'only mods and up can alter roles'],
      ['carol', 'bob', 'mod', 'cannot promote to or above own rank'],
      [bees, 'bob', 'owner', 'cannot promote to or above own rank'],
      ['dan', bees, 'guest', 'cant modify owner role'],
      ['carol', 'dan', 'member', 'cant modify a user with a higher role'],
      ['dan', 'carol', 'mod', 'role would not change'],
      ['carol', 'bob', 'queen', 'invalid role'],
      ['carol', 'nobody-here', 'member', "account 'nobody-here' does not exist"],
    ])('does not let %s make %s a %s', async (actor, account, role, reason) => {
      const before = await roles();
      await set(actor, account, role);
      expect(await errorsOf(actor)).toEqual([`error: ${reason}`]);
      expect(await roles()).toEqual(before);
    });

    it('limits the team to a hundred members', async () => {
      const names = Array.from({ length: 98 }, (_, index) => `keeper-${index}`);
      await index.apply(names.map((name) => create(name)));
      await index.apply(names.map((account) => act(bees, 'setRole', bees, { account, role: 'mod' })));
      expect(await errorsOf(bees)).toEqual(['error: moderator limit exceeded']);
      // Members of the team may still be promoted.
      await set(bees, 'carol', 'admin');
      expect(await errorsOf(bees)).toHaveLength(1);
    });
  });

  it('allow moderators to set titles, including empty ones', async () => {
    await index.apply([
      act('carol', 'setUserTitle', bees, { account: 'bob', title: 'Keeper' }),
      act('bob', 'setUserTitle', bees, { account: 'alice', title: 'Queen' }),
      act('carol', 'setUserTitle', bees, { account: 'dan', title: 'x'.repeat(33) }),
      act('carol', 'setUserTitle', bees, { account: 'dan', title: '' }),
    ]);
    expect(await index.call('bridge.get_community_context', { name: bees, account: 'bob' })).toEqual({
      role: 'guest',
      subscribed: false,
      title: 'Keeper',
    });
    expect(await errorsOf('bob')).toEqual(['error: only mods can set user titles']);
    expect(await errorsOf('carol')).toEqual(['error: exceeds max len: title']);
  });

  describe('subscriptions', () => {
    it('are counted and can be ended', async () => {
      await index.apply([act('alice', 'subscribe', bees), act('bob', 'subscribe', bees)]);
      expect(await community()).toMatchObject({ subscribers: 2 });
      expect(await index.call('bridge.list_subscribers', { community: bees })).toEqual([
        ['alice', 'guest', null, expect.any(String)],
        ['bob', 'guest', null, expect.any(String)],
      ]);
      await index.apply([act('alice', 'unsubscribe', bees)]);
      expect(await community()).toMatchObject({ subscribers: 1 });
      expect(await index.call('bridge.list_all_subscriptions', { account: 'bob' })).toEqual([[bees, '', 'guest', '']]);
    });

    it('are rejected if they exist already', async () => {
      await index.apply([act('alice', 'subscribe', bees), act('alice', 'subscribe', bees)]);
      await index.apply([act('bob', 'unsubscribe', bees)]);
      expect(await errorsOf('alice')).toEqual(['error: already subscribed']);
      expect(await errorsOf('bob')).toEqual(['error: already unsubscribed']);
    });
  });

  describe('posts in them', () => {
    const actions: [string, object, string][] = [
      ['mutePost', { ...onComb, notes: 'wasps' }, 'only mods and above can mute posts'],
      ['pinPost', onComb, 'only mods and above can pin posts'],
    ];
    it.each(actions)('only moderators may use %s', async (action, payload, reason) => {
      await index.apply([act('bob', action, bees, payload)], [act('carol', action, bees, payload)]);
      expect(await errorsOf('bob')).toEqual([`error: ${reason}`]);
      expect(await errorsOf('carol')).toEqual([]);
    });

    const reversibleActions: [string, string, object, string][] = [
      ['mutePost', 'unmutePost', { ...onComb, notes: 'x' }, 'post is not muted'],
      ['pinPost', 'unpinPost', onComb, 'post is not pinned'],
    ];
    it.each(reversibleActions)('%s can be reverted by %s, once', async (once, back, payload, reason) => {
      await index.apply([act('carol', back, bees, payload)]);
      expect(await errorsOf('carol')).toEqual([`error: ${reason}`]);
      await index.apply([act('carol', once, bees, payload), act('carol', back, bees, payload)]);
      await index.apply([act('carol', once, bees, payload)], [act('carol', once, bees, payload)]);
      expect(await errorsOf('carol')).toEqual([
        `error: post is already ${once === 'pinPost' ? 'pinned' : 'muted'}`,
        `error: ${reason}`,
      ]);
    });

    it('can be flagged by every account that is not muted', async () => {
      await index.apply([act('carol', 'setRole', bees, { account: 'bob', role: 'muted' })]);
      await index.apply([
        act('bob', 'flagPost', bees, { ...onComb, notes: 'x' }),
        act('alice', 'flagPost', bees, { ...onComb, notes: 'my own' }),
      ]);
      expect(await errorsOf('bob')).toEqual(['error: muted users cannot flag posts']);
      for (const name of ['carol', 'dan', bees]) {
        expect(await index.messages(name, 'flag_post')).toEqual(['@alice flagged a post - my own']);
      }
    });

    it.each([
      [{ account: 'alice', permlink: 'nowhere' }, 'post does not exist'],
      [{ account: 'alice', permlink: 'wasps' }, 'post does not belong to community'],
      [{ account: 'alice' }, "missing keys: {'permlink'}"],
      [{ ...onComb, extra: 1 }, "extraneous keys: {'extra'}"],
      [{ account: 7, permlink: 'comb' }, 'key `account` was not str'],
      [{ account: ' alice', permlink: 'comb' }, 'invalid padding: account'],
      [{ account: '', permlink: 'comb' }, 'key `account` was blank'],
    ])('are rejected if they do not exist or the payload is invalid: %j', async (payload, reason) => {
      await index.apply([post('alice', 'wasps', { category: 'hive-100002' })]);
      await index.apply([act('carol', 'pinPost', bees, payload)]);
      expect(await errorsOf('carol')).toEqual([`error: ${reason}`]);
    });

    // hivemind reads the payload, then the role, then the post (`community_mute_post` and the following functions in
    // hive/db/sql_scripts/community_helpers.sql).
    describe.each([
      ['mutePost', { notes: 'x' }, 'only mods and above can mute posts'],
      ['unmutePost', { notes: 'x' }, 'only mods and above can unmute posts'],
      ['pinPost', {}, 'only mods and above can pin posts'],
      ['unpinPost', {}, 'only mods and above can unpin posts'],
      ['flagPost', { notes: 'x' }, 'muted users cannot flag posts'],
    ])('%s checks', (action, notes, reason) => {
      beforeEach(() => index.apply([act('carol', 'setRole', bees, { account: 'bob', role: 'muted' })]));

      it.each(['nowhere', 'elsewhere', 'comb'])('the role before the post %s', async (permlink) => {
        await index.apply([act('bob', action, bees, { account: 'alice', permlink, ...notes })]);
        expect(await errorsOf('bob')).toEqual([`error: ${reason}`]);
      });

      it.each([
        [{ account: 'nobody-here', permlink: 'comb', ...notes }, "account 'nobody-here' does not exist"],
        [{ account: 'alice', permlink: '', ...notes }, 'key `permlink` was blank'],
        [{ account: 'alice', permlink: 'nowhere', ...notes, extra: 1 }, "extraneous keys: {'extra'}"],
      ])('the payload before the role: %j', async (payload, error) => {
        await index.apply([act('bob', action, bees, payload)]);
        expect(await errorsOf('bob')).toEqual([`error: ${error}`]);
      });

      it('the post before its state', async () => {
        await index.apply([act('carol', action, bees, { account: 'alice', permlink: 'nowhere', ...notes })]);
        expect(await errorsOf('carol')).toEqual(['error: post does not exist']);
      });
    });

    it('stay muted while their parent is muted', async () => {
      const notes = { notes: 'x' };
      await index.apply([reply('bob', 'sweet', comb)]);
      const onSweet = { account: 'bob', permlink: 'sweet', ...notes };
      await index.apply([
        act('carol', 'mutePost', bees, { ...onComb, ...notes }),
        act('carol', 'mutePost', bees, onSweet),
      ]);
      await index.apply([act('carol', 'unmutePost', bees, onSweet)]);
      expect(await errorsOf('carol')).toEqual(['error: parent post is muted']);
      await index.apply([reply('dan', 'late', comb)]);
      expect(await index.items('dan')).toContainEqual(
        expect.objectContaining({
          type: 'error',
          msg: 'error: Post is muted because parent post/comment is muted',
          url: '@dan/late',
        }),
      );
    });

    it('are counted with their authors until they are paid', async () => {
      await index.apply([
        post('alice', 'second', { category: bees }),
        reply('bob', 'sweet', comb),
        vote('dan', comb, 1e10, 1_600),
        vote('dan', { author: 'bob', permlink: 'sweet' }, 1e10, 500),
      ]);
      expect(await community()).toMatchObject({ num_pending: 3, num_authors: 2, sum_pending: 2 });
      await index.apply([paid(comb)]);
      expect(await community()).toMatchObject({ num_pending: 2, num_authors: 2, sum_pending: 1 });
      await index.apply([deletion({ author: 'alice', permlink: 'second' })]);
      expect(await community()).toMatchObject({ num_pending: 1, num_authors: 1, sum_pending: 1 });
    });
  });

  it.each([
    ['topic', 'hive-100001', [false, false]],
    ['journal', 'hive-200001', [true, false]],
    ['council', 'hive-300001', [true, true]],
  ])(
    'of type %s mute the posts of accounts that may not write there',
    async (_type, name, [isPostMuted, isReplyMuted]) => {
      await index.apply([create('eve'), ...(name === bees ? [] : [create(name)])]);
      await index.apply([act(name, 'setRole', name, { account: 'dan', role: 'member' })]);
      await index.apply([
        post('dan', 'members', { category: name }),
        post('eve', 'guests', { category: name }),
        reply('eve', 'guest-reply', { author: 'dan', permlink: 'members' }),
      ]);
      const muted = (await index.items('eve')).filter(({ type }) => type === 'error').map(({ url }) => url);
      expect(muted.includes('@eve/guests')).toBe(isPostMuted);
      expect(muted.includes('@eve/guest-reply')).toBe(isReplyMuted);
      expect(await errorsOf('dan')).toEqual([]);
    },
  );

  describe('updateProps', () => {
    const update = (actor: string, props: unknown) => index.apply([act(actor, 'updateProps', bees, { props })]);

    it('changes only the given properties', async () => {
      await update('dan', {
        title: 'Bees',
        about: 'All',
        lang: 'de',
        is_nsfw: true,
        description: 'Long',
        flag_text: 'Rules',
      });
      await update(bees, { type_id: 3, settings: { avatar_url: 'https://bees.example/a.png', nested: [{ a: 1 }] } });
      expect(await community()).toMatchObject({
        title: 'Bees',
        about: 'All',
        lang: 'de',
        is_nsfw: true,
        description: 'Long',
        flag_text: 'Rules',
        type_id: 3,
        settings: { avatar_url: 'https://bees.example/a.png', nested: [{ a: 1 }] },
      });
    });

    it.each<[actor: string, props: unknown, reason: string]>([
      ['carol', { about: 'x' }, 'only admins can update props'],
      ['dan', { colour: 'yellow' }, "extraneous keys: {'colour'}"],
      ['dan', {}, 'key `props` was blank'],
      ['dan', [], 'key `props` was blank'],
      ['dan', null, 'key `props` was blank'],
      ['dan', 0, 'key `props` was blank'],
      ['dan', [1], 'key `props` not a dict'],
      ['dan', true, 'key `props` not a dict'],
      ['dan', { title: 'ab' }, 'title too short'],
      ['dan', { title: '@bees' }, 'invalid title prefix'],
      ['dan', { title: 'x'.repeat(21) }, 'exceeds max len: title'],
      ['dan', { lang: 'xx' }, 'invalid lang: lang'],
      // Missing in the list of hivemind (`LANGS` in hive/indexer/community.py).
      ['dan', { lang: 'zu' }, 'invalid lang: lang'],
      ['dan', { is_nsfw: 'yes' }, 'must be bool: is_nsfw'],
      ['dan', { type_id: 4 }, 'invalid community type'],
      ['dan', { type_id: '2' }, 'must be int: type_id'],
      ['dan', { type_id: 1.5 }, 'must be int: type_id'],
      ['dan', { settings: [] }, 'key `settings` was blank'],
      ['dan', { settings: 'x' }, 'key `settings` not a dict'],
      ['dan', { settings: { avatar_url: 'javascript:alert(1)' } }, 'invalid avatar_url'],
    ])('rejects %s with %j', async (actor, props, reason) => {
      const before = await community();
      await update(actor, props);
      expect(await errorsOf(actor)).toEqual([`error: ${reason}`]);
      expect(await community()).toEqual(before);
    });
  });

  it('do not exist under names of another pattern', async () => {
    await index.apply([act('bob', 'subscribe', 'hive-199999')]);
    await index.apply([act('bob', 'subscribe', 'alice')]);
    expect(await index.items('bob')).toEqual([
      expect.objectContaining({ msg: "error: Community 'alice' does not exist", url: '@bob' }),
      expect.objectContaining({ msg: "error: Community 'hive-199999' does not exist", url: '@bob' }),
    ]);
  });

  it('are listed by rank, age or subscribers, in pages, and can be searched', async () => {
    await index.apply([create('hive-100003'), act('alice', 'subscribe', 'hive-100002')]);
    await index.apply([
      act('hive-100002', 'updateProps', 'hive-100002', { props: { title: 'Wasps', about: 'They sting.' } }),
    ]);
    const list = async (params: object) =>
      ((await index.call('bridge.list_communities', params)) as { name: string }[]).map(({ name }) => name);
    expect(await list({})).toEqual([bees, 'hive-100002', 'hive-100003']);
    expect(await list({ sort: 'new' })).toEqual(['hive-100003', 'hive-100002', bees]);
    expect(await list({ sort: 'subs' })).toEqual(['hive-100002', 'hive-100003', bees]);
    expect(await list({ last: bees, limit: 1 })).toEqual(['hive-100002']);
    expect(await list({ query: 'stinging wasp' })).toEqual(['hive-100002']);
    const [first] = (await index.call('bridge.list_communities', { limit: 1, observer: 'dan' })) as object[];
    expect(first).toMatchObject({ admins: ['dan'], context: { role: 'admin', subscribed: false, title: '' } });
  });
});
