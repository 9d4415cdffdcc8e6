import { reputationAfterVote, reputationScore } from './reputation';

describe('reputation', () => {
  it.each([
    [null, 25],
    [0n, 25],
    [1_000_000_000n, 25],
    [10_000_000_000n, 33],
    [-10_000_000_000n, 18],
    [10n ** 15n, 70],
    [-(10n ** 13n), -5],
  ])('of %s scores %s', (reputation, score) => {
    expect(reputationScore(reputation)).toBe(score);
  });

  const vote = (author: bigint, voter: bigint, rshares: bigint, before = 0n) =>
    reputationAfterVote(author, voter, { before, rshares });

  it('grows by a sixty-fourth of a vote', () => {
    expect(vote(5n, 0n, 6_400n)).toBe(105n);
  });

  it('is lowered only by downvotes of accounts with a higher reputation', () => {
    expect(vote(50n, 51n, -640n)).toBe(40n);
    expect(vote(50n, 50n, -640n)).toBe(50n);
    expect(vote(-50n, 0n, -640n)).toBe(-50n);
  });

  it('is not changed by voters with a negative reputation', () => {
    expect(vote(50n, -1n, 6_400n)).toBe(50n);
  });

  it('removes a previous vote before it adds the new one', () => {
    expect(vote(105n, 0n, 640n, 6_400n)).toBe(15n);
    expect(vote(105n, 0n, 0n, 6_400n)).toBe(5n);
  });
});
