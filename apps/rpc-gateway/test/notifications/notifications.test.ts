import { IndexUnderTest } from '../support/index-under-test';
import { act, create, custom, follow, type OperationSketch, post, reblog, reply, vote } from '../support/operations';

const bees = 'hive-100001';
const honey = { author: 'alice', permlink: 'honey' };

/** Accounts, a community and a post in it. */
const society = [
  [...['alice', 'bob', 'carol', bees].map((name) => create(name))],
  [
    act(bees, 'updateProps', bees, { props: { title: 'Bees' } }),
    act(bees, 'setRole', bees, { account: 'carol', role: 'mod' }),
  ],
  [post('alice', 'honey', { category: bees })],
];

interface Example {
  readonly type: string;
  readonly before?: readonly OperationSketch[];
  readonly operations: readonly OperationSketch[];
  readonly account: string;
  readonly msg: string;
  readonly url: string;
  readonly score: number;
}

const examples: readonly Example[] = [
  {
    type: 'new_community',
    operations: [create('hive-212345')],
    account: 'hive-212345',
    msg: '@hive-212345 was created',
    url: 'c/hive-212345',
    score: 35,
  },
  {
    type: 'set_role',
    operations: [act('carol', 'setRole', bees, { account: 'bob', role: 'member' })],
    account: 'bob',
    msg: '@carol set your role to member',
    url: `c/${bees}`,
    score: 15,
  },
  {
    type: 'set_props',
    operations: [act(bees, 'updateProps', bees, { props: { about: 'All of them', is_nsfw: false } })],
    account: 'carol',
    msg: `@${bees} set properties {"about": "All of them", "is_nsfw": false}`,
    url: `c/${bees}`,
    score: 35,
  },
  {
    type: 'set_title',
    before: [act('bob', 'subscribe', bees)],
    operations: [act('carol', 'setUserTitle', bees, { account: 'bob', title: 'Keeper' })],
    account: 'bob',
    msg: '@carol set your title to Keeper',
    url: `c/${bees}`,
    score: 35,
  },
  {
    type: 'mute_post',
    operations: [act('carol', 'mutePost', bees, { account: 'alice', permlink: 'honey', notes: 'wasps' })],
    account: 'alice',
    msg: '@carol muted your post - wasps',
    url: '@alice/honey',
    score: 15,
  },
  {
    type: 'unmute_post',
    before: [act('carol', 'mutePost', bees, { account: 'alice', permlink: 'honey', notes: 'wasps' })],
    operations: [act('carol', 'unmutePost', bees, { account: 'alice', permlink: 'honey', notes: 'bees' })],
    account: 'alice',
    msg: '@carol unmuted your post - bees',
    url: '@alice/honey',
    score: 15,
  },
  {
    type: 'pin_post',
    operations: [act('carol', 'pinPost', bees, { account: 'alice', permlink: 'honey' })],
    account: 'alice',
    msg: '@carol pinned your post',
    url: '@alice/honey',
    score: 15,
  },
  {
    type: 'unpin_post',
    before: [act('carol', 'pinPost', bees, { account: 'alice', permlink: 'honey' }), act('alice', 'subscribe', bees)],
    operations: [act('carol', 'unpinPost', bees, { account: 'alice', permlink: 'honey' })],
    account: 'alice',
    msg: '@carol unpinned your post',
    url: '@alice/honey',
    score: 35,
  },
  {
    type: 'flag_post',
    operations: [act('bob', 'flagPost', bees, { account: 'alice', permlink: 'honey', notes: 'too sweet' })],
    account: 'carol',
    msg: '@bob flagged a post - too sweet',
    url: '@alice/honey',
    score: 35,
  },
  {
    type: 'error',
    operations: [act('bob', 'pinPost', bees, { account: 'alice', permlink: 'honey' })],
    account: 'bob',
    msg: 'error: only mods and above can pin posts',
    url: `c/${bees}`,
    score: 35,
  },
  {
    type: 'subscribe',
    operations: [act('bob', 'subscribe', bees)],
    account: bees,
    msg: '@bob subscribed to Bees',
    url: `c/${bees}`,
    score: 25,
  },
  {
    type: 'reply',
    operations: [reply('bob', 'sweet', honey)],
    account: 'alice',
    msg: '@bob replied to your post',
    url: '@bob/sweet',
    score: 25,
  },
  {
    type: 'reply_comment',
    before: [reply('bob', 'sweet', honey)],
    operations: [reply('carol', 'indeed', { author: 'bob', permlink: 'sweet' })],
    account: 'bob',
    msg: '@carol replied to your comment',
    url: '@carol/indeed',
    score: 25,
  },
  {
    type: 'reblog',
    operations: [reblog('bob', honey)],
    account: 'alice',
    msg: '@bob reblogged your post',
    url: '@alice/honey',
    score: 25,
  },
  {
    type: 'follow',
    operations: [follow('bob', 'alice')],
    account: 'alice',
    msg: '@bob followed you',
    url: '@bob',
    score: 25,
  },
  {
    type: 'mention',
    operations: [post('bob', 'thanks', { body: 'Thanks @alice, @Carol and @nobody-here.' })],
    account: 'alice',
    msg: '@bob mentioned you and 1 others',
    url: '@bob/thanks',
    score: 25,
  },
  {
    type: 'vote',
    operations: [vote('bob', honey, 20_000_000_000, 1_234)],
    account: 'alice',
    msg: '@bob voted on your post ($1.23)',
    url: '@alice/honey',
    score: 75,
  },
];

describe('notifications', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  beforeEach(async () => {
    await index.reset();
    await index.apply(...society);
  });
  afterAll(() => index.stop());

  it('have seventeen types', () => {
    expect(new Set(examples.map(({ type }) => type)).size).toBe(17);
  });

  it.each(examples)('are created for $type', async ({ type, before = [], operations, account, msg, url, score }) => {
    await index.apply(before);
    const former = (await index.items(account).catch(() => [])).length;
    const { date } = index;
    await index.apply(operations);
    const items = await index.items(account);
    expect(items.length).toBe(former + 1);
    expect(items[0]).toEqual({ id: expect.any(Number), type, score, date, msg, url });
  });

  it('have ids of time, type and position, which JavaScript can distinguish', async () => {
    const { date } = index;
    await index.apply([follow('bob', 'alice'), follow('carol', 'alice')]);
    const [second, first] = await index.items('alice');
    const seconds = BigInt((Date.parse(`${date}Z`) - Date.UTC(2016, 2, 24, 16)) / 1_000);
    expect(BigInt(first?.id ?? 0) >> 22n).toBe((seconds << 6n) | 15n);
    expect(second?.id).toBeGreaterThan(first?.id ?? 0);
    expect(second?.msg).toBe('@carol followed you');
  });

  it('of a post are those about its replies, votes and mentions', async () => {
    await index.apply([
      reply('bob', 'sweet', honey),
      vote('carol', honey, 20_000_000_000, 500),
      reblog('carol', honey),
      post('alice', 'honey', { category: bees, body: 'Ask @bob.' }),
      reply('carol', 'indeed', { author: 'bob', permlink: 'sweet' }),
    ]);
    const items = await index.call('bridge.post_notifications', { ...honey, min_score: 0 });
    expect(items).toEqual([
      expect.objectContaining({ type: 'vote' }),
      expect.objectContaining({ type: 'mention', msg: '@alice mentioned you and 0 others' }),
      expect.objectContaining({ type: 'reblog' }),
      expect.objectContaining({ type: 'reply' }),
    ]);
  });

  it('are scored by the reputation of their source', async () => {
    // A vote adds a sixty-fourth of its rshares. The score of a reputation of 10^11 is 25 + 7.5 * 2.
    await index.apply([post('bob', 'hives'), vote('carol', { author: 'bob', permlink: 'hives' }, 64e11)]);
    await index.apply([follow('bob', 'alice')]);
    expect((await index.items('alice'))[0]).toMatchObject({ type: 'follow', score: 40 });
  });

  it('keep the title that the community had at the time', async () => {
    await index.apply([act('bob', 'subscribe', bees)], [act(bees, 'updateProps', bees, { props: { title: 'Wasps' } })]);
    expect(await index.messages(bees, 'subscribe')).toEqual(['@bob subscribed to Bees']);
  });

  it('are created once for each source, recipient, type and post in a block', async () => {
    const onHoney = { account: 'alice', permlink: 'honey' };
    const pins = ['pinPost', 'unpinPost', 'pinPost'].map((action) => act('carol', action, bees, onHoney));
    const follows = ['blog', '', 'blog'].map((action) => follow('bob', 'alice', action));
    await index.apply([...pins, ...follows, follow('carol', 'alice')]);
    const messages = [
      '@carol unpinned your post',
      '@carol pinned your post',
      '@carol followed you',
      '@bob followed you',
    ];
    expect((await index.messages('alice')).toSorted()).toEqual(messages.toSorted());
    await index.apply([act('carol', 'unpinPost', bees, onHoney)]);
    expect(await index.messages('alice', 'unpin_post')).toHaveLength(2);
  });

  it('are created for custom operations of early blocks, which consist of only the payload', async () => {
    await index.apply([
      custom('bob', 'follow', { follower: 'bob', following: 'alice', what: ['blog'] }),
      custom('bob', 'reblog', { account: 'bob', ...honey }),
    ]);
    expect(await index.messages('alice')).toEqual(['@bob followed you', '@bob reblogged your post']);
  });
});
