import { IndexUnderTest } from './index-under-test';
import { act, create, deletion, follow, paid, post, reblog, reply, vote } from './operations';

const honey = { author: 'alice', permlink: 'honey' };
const worthTelling = 20_000_000_000;
const dayS = 24 * 60 * 60;

/** What bob may do that alice is told of. */
const doings = {
  reply: reply('bob', 'sweet', honey),
  reblog: reblog('bob', honey),
  follow: follow('bob', 'alice'),
  mention: post('bob', 'thanks', { body: '@alice' }),
  vote: vote('bob', honey, worthTelling, 1_000),
};
const doingsOfBob = Object.entries(doings).map(([type, operation]) => ({ type, operation }));

describe('what nobody is told of', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  beforeEach(async () => {
    await index.reset();
    await index.apply(
      ['alice', 'bob', 'carol', 'dan'].map((name) => create(name)),
      [post('alice', 'honey')],
    );
  });
  afterAll(() => index.stop());

  it.each(doingsOfBob)('is a $type by who is muted', async ({ type, operation }) => {
    await index.apply([follow('alice', 'bob', 'ignore')], [operation]);
    expect(await index.messages('alice', type)).toEqual([]);
    // It is the mute that keeps it away.
    await index.apply([follow('alice', 'bob', '')], [reply('bob', 'again', honey)]);
    expect(await index.messages('alice', 'reply')).toHaveLength(1);
  });

  it.each(doingsOfBob)('is a $type by who is on a mute list that one follows', async ({ type, operation }) => {
    await index.apply([follow('carol', 'bob', 'ignore')], [follow('alice', 'carol', 'follow_muted')], [operation]);
    expect(await index.messages('alice', type)).toEqual([]);
  });

  it.each(doingsOfBob)('is a $type by who was muted in the same block', async ({ type, operation }) => {
    const muting = [follow('carol', 'bob', 'ignore'), follow('alice', 'carol', 'follow_muted')];
    await index.apply([...muting, operation]);
    expect(await index.messages('alice', type)).toEqual([]);
  });

  it('is what is told after the mute list is followed no longer', async () => {
    await index.apply([follow('carol', 'bob', 'ignore'), follow('alice', 'carol', 'follow_muted')]);
    await index.apply([follow('alice', 'dan', 'reset_follow_muted_list'), doings.follow]);
    expect(await index.messages('alice', 'follow')).toEqual(['@bob followed you']);
  });

  it('is what one does oneself', async () => {
    await index.apply([
      reply('alice', 'own', honey),
      reblog('alice', honey),
      follow('alice', 'alice'),
      post('alice', 'me', { body: '@alice' }),
      vote('alice', honey, worthTelling, 1_000),
    ]);
    expect(await index.items('alice')).toEqual([]);
  });

  it('is by whom others have voted below zero', async () => {
    await index.apply(
      [post('carol', 'comb'), vote('dan', { author: 'carol', permlink: 'comb' }, 64e12)],
      // Carol now stands above bob.
      [post('bob', 'wasps'), vote('carol', { author: 'bob', permlink: 'wasps' }, String(-64e13))],
      [doings.follow, doings.reply],
    );
    expect(await index.items('alice')).toEqual([]);
  });

  it('is a follow of whom one follows already', async () => {
    await index.apply([doings.follow], [follow('bob', 'alice', 'follow'), follow('bob', 'alice', 'blacklist')]);
    expect(await index.messages('alice')).toEqual(['@bob followed you']);
  });

  it('is a second reblog', async () => {
    await index.apply([doings.reblog, doings.reblog]);
    expect(await index.messages('alice')).toHaveLength(1);
  });

  it('is the edit of a reply', async () => {
    await index.apply([doings.reply], [reply('bob', 'sweet', honey, 'A better reply.')]);
    expect(await index.messages('alice')).toEqual(['@bob replied to your post']);
  });

  it('is a reply to what is not there', async () => {
    await index.apply([deletion(honey)], [doings.reply, reblog('bob', honey)]);
    expect(await index.items('alice')).toEqual([]);
  });

  describe('is a vote', () => {
    it.each([
      ['of few rshares', 9_999_999_999, 1_000],
      ['worth less than two cents', worthTelling, 19],
      ['against the post', -worthTelling, 1_000],
    ])('%s', async (_what, rshares, pendingPayout) => {
      await index.apply([vote('bob', honey, rshares, pendingPayout)]);
      expect(await index.items('alice')).toEqual([]);
    });

    it('that is one of many, by its share', async () => {
      await index.apply([vote('carol', honey, 1e13, 1_000)], [vote('bob', honey, worthTelling, 1_000)]);
      expect(await index.messages('alice')).toEqual(['@carol voted on your post ($1.00)']);
    });

    it('on a post that is older than 97 days', async () => {
      await index.applyAt(97 * dayS, []);
      await index.apply([vote('bob', honey, worthTelling, 1_000)]);
      expect(await index.items('alice')).toEqual([]);
    });
  });

  it('is what was more than ninety days ago', async () => {
    await index.apply([doings.follow, doings.mention, follow('carol', 'alice')]);
    await index.applyAt(90 * dayS - 3, []);
    expect(await index.messages('alice')).toHaveLength(3);
    await index.apply([], []);
    expect(await index.items('alice')).toEqual([]);
    const { notification, mention } = await index.everyRow();
    expect([notification, mention]).toEqual([[], []]);
  });

  it('keeps what is paid for no longer than votes on it are told', async () => {
    await index.apply([vote('bob', honey, worthTelling, 1_000)], [paid(honey)]);
    expect((await index.everyRow())['vote']).toEqual([]);
    await index.applyAt(98 * dayS, []);
    expect((await index.everyRow())['young_post']).toEqual([]);
  });

  it('is a second flag by the same account', async () => {
    const bees = 'hive-100001';
    const flag = act('bob', 'flagPost', bees, { account: 'alice', permlink: 'comb', notes: 'too sweet' });
    await index.apply([create(bees)], [post('alice', 'comb', { category: bees })], [flag, flag]);
    expect(await index.messages(bees, 'flag_post')).toHaveLength(1);
    expect(await index.messages('bob')).toEqual(['error: user already flagged this post']);
  });
});
