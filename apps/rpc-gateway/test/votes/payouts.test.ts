import { IndexUnderTest } from '../support/index-under-test';
import { castVote, create, paid, post, rewarded, vote } from '../support/operations';

const honey = { author: 'alice', permlink: 'honey' };

let index: IndexUnderTest;
beforeAll(async () => {
  index = await IndexUnderTest.start();
});
afterAll(() => index.stop());
beforeEach(() => index.reset());

async function reputation(account: string): Promise<unknown> {
  const [first] = (await index.callBy('condenser_api.get_account_reputations', [account, 1])) as {
    reputation: unknown;
  }[];
  return first?.reputation;
}

describe('a second vote of an account', () => {
  const bobVotes = (rshares: number) => [castVote('bob', honey), vote('bob', honey, rshares)];
  // A vote adds a sixty-fourth of its rshares to the reputation.
  const votesAround = async (time: string, payout = rewarded(honey, 7)) => {
    index.continueAt(new Date(time));
    await index.apply([create('alice'), create('bob'), post('alice', 'honey')], bobVotes(6_400), [payout]);
    await index.apply(bobVotes(12_800));
    return reputation('alice');
  };

  it('replaces the first one', async () => {
    expect(await votesAround('2016-07-26T14:00:00Z')).toBe(200);
  });

  it('counts in addition after the last payout', async () => {
    expect(await votesAround('2016-07-26T14:00:00Z', paid(honey))).toBe(300);
  });

  it.each(['2016-07-26T15:00:00Z', '2017-03-30T14:00:00Z'])(
    'counts in addition after the first of two payouts, at %s',
    async (time) => {
      expect(await votesAround(time)).toBe(300);
    },
  );

  it('replaces a vote that was cast after the payout', async () => {
    await votesAround('2016-07-26T14:00:00Z', paid(honey));
    await index.apply(bobVotes(0));
    expect(await reputation('alice')).toBe(100);
  });

  it.each([true, false])('of 2016 changes the sums of a paid post (VOTES=all: %s)', async (keepsVotes) => {
    index.retention = { notificationDays: 90, bodyDays: null, keepsVotes };
    await votesAround('2016-07-26T14:00:00Z', paid(honey));
    expect((await index.everyRow())['payout']).toMatchObject([{ rshares: '12800', total_votes: 1 }]);
  });

  it('replaces the first one once posts are paid only once', async () => {
    expect(await votesAround('2017-03-30T15:00:00Z')).toBe(200);
  });
});
