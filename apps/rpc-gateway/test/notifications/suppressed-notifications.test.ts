import { IndexUnderTest } from '../support/index-under-test';
import { act, create, deletion, follow, post, reblog, reply, vote } from '../support/operations';

const honey = { author: 'alice', permlink: 'honey' };
const significantRshares = 20_000_000_000;
const dayS = 24 * 60 * 60;

/** Operations of bob that notify alice. */
const operations = {
  reply: reply('bob', 'sweet', honey),
  reblog: reblog('bob', honey),
  follow: follow('bob', 'alice'),
  mention: post('bob', 'thanks', { body: '@alice' }),
  vote: vote('bob', honey, significantRshares, 1_000),
};
const operationsOfBob = Object.entries(operations).map(([type, operation]) => ({ type, operation }));

describe('no notification is created', () => {
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

  it.each(operationsOfBob)('for a $type by a muted account', async ({ type, operation }) => {
    await index.apply([follow('alice', 'bob', 'ignore')], [operation]);
    expect(await index.messages('alice', type)).toEqual([]);
    // The mute is the reason.
    await index.apply([follow('alice', 'bob', '')], [reply('bob', 'again', honey)]);
    expect(await index.messages('alice', 'reply')).toHaveLength(1);
  });

  it.each(operationsOfBob)(
    'for a $type by an account on a mute list that the recipient follows',
    async ({ type, operation }) => {
      await index.apply([follow('carol', 'bob', 'ignore')], [follow('alice', 'carol', 'follow_muted')], [operation]);
      expect(await index.messages('alice', type)).toEqual([]);
    },
  );

  it.each(operationsOfBob)(
    'for a $type by an account that was muted in the same block',
    async ({ type, operation }) => {
      const muting = [follow('carol', 'bob', 'ignore'), follow('alice', 'carol', 'follow_muted')];
      await index.apply([...muting, operation]);
      expect(await index.messages('alice', type)).toEqual([]);
    },
  );

  it('for an operation by an account on a mute list that a new account follows in the same batch', async () => {
    await index.apply([follow('carol', 'bob', 'ignore')]);
    await index.apply([create('eve')], [follow('eve', 'carol', 'follow_muted')], [follow('bob', 'eve')]);
    expect(await index.messages('eve')).toEqual([]);
  });

  it('only while the recipient follows the mute list', async () => {
    await index.apply([follow('carol', 'bob', 'ignore'), follow('alice', 'carol', 'follow_muted')]);
    await index.apply([follow('alice', 'dan', 'reset_follow_muted_list'), operations.follow]);
    expect(await index.messages('alice', 'follow')).toEqual(['@bob followed you']);
  });

  it("for an account's own operations", async () => {
    await index.apply([
      reply('alice', 'own', honey),
      reblog('alice', honey),
      follow('alice', 'alice'),
      post('alice', 'me', { body: '@alice' }),
      vote('alice', honey, significantRshares, 1_000),
    ]);
    expect(await index.items('alice')).toEqual([]);
  });

  it('for operations of an account with a negative score', async () => {
    await index.apply(
      [post('carol', 'comb'), vote('dan', { author: 'carol', permlink: 'comb' }, 64e12)],
      // Carol's reputation is now above bob's.
      [post('bob', 'wasps'), vote('carol', { author: 'bob', permlink: 'wasps' }, String(-64e13))],
      [operations.follow, operations.reply],
    );
    expect(await index.items('alice')).toEqual([]);
  });

  it('for a follow of an account that is already followed', async () => {
    await index.apply([operations.follow], [follow('bob', 'alice', 'follow'), follow('bob', 'alice', 'blacklist')]);
    expect(await index.messages('alice')).toEqual(['@bob followed you']);
  });

  it('for a second reblog', async () => {
    await index.apply([operations.reblog, operations.reblog]);
    expect(await index.messages('alice')).toHaveLength(1);
  });

  it('for the edit of a reply', async () => {
    await index.apply([operations.reply], [reply('bob', 'sweet', honey, 'A better reply.')]);
    expect(await index.messages('alice')).toEqual(['@bob replied to your post']);
  });

  it('for a reply to a post that does not exist', async () => {
    await index.apply([deletion(honey)], [operations.reply, reblog('bob', honey)]);
    expect(await index.items('alice')).toEqual([]);
  });

  describe('for a vote', () => {
    it.each([
      ['of few rshares', 9_999_999_999, 1_000],
      ['worth less than two cents', significantRshares, 19],
      ['against the post', -significantRshares, 1_000],
    ])('%s', async (_what, rshares, pendingPayout) => {
      await index.apply([vote('bob', honey, rshares, pendingPayout)]);
      expect(await index.items('alice')).toEqual([]);
    });

    it('with a small share of the payout', async () => {
      await index.apply([vote('carol', honey, 1e13, 1_000)], [vote('bob', honey, significantRshares, 1_000)]);
      expect(await index.messages('alice')).toEqual(['@carol voted on your post ($1.00)']);
    });

    it('on a post that is older than 97 days', async () => {
      await index.applyAt(97 * dayS, []);
      await index.apply([vote('bob', honey, significantRshares, 1_000)]);
      expect(await index.items('alice')).toEqual([]);
    });
  });

  it('for operations older than ninety days', async () => {
    await index.apply([operations.follow, operations.mention, follow('carol', 'alice')]);
    await index.applyAt(90 * dayS - 3, []);
    expect(await index.messages('alice')).toHaveLength(3);
    await index.apply([], []);
    expect(await index.items('alice')).toEqual([]);
    const { notification, mention } = await index.everyRow();
    expect([notification, mention]).toEqual([[], []]);
  });

  it('for votes on posts that are older than 97 days', async () => {
    const votes = ['bob', 'carol'].map((name) => vote(name, honey, significantRshares, 1_000));
    await index.applyAt(97 * dayS - 60, [], votes.slice(0, 1));
    await index.applyAt(60, [], votes.slice(1));
    expect(await index.messages('alice')).toEqual(['@bob voted on your post ($1.00)']);
  });

  it('for a second flag by the same account', async () => {
    const bees = 'hive-100001';
    const flag = act('bob', 'flagPost', bees, { account: 'alice', permlink: 'comb', notes: 'too sweet' });
    await index.apply([create(bees)], [post('alice', 'comb', { category: bees })], [flag, flag]);
    expect(await index.messages(bees, 'flag_post')).toHaveLength(1);
    expect(await index.messages('bob')).toEqual(['error: user already flagged this post']);
  });
});
