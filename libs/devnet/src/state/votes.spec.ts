import { DevnetChain } from '../chain/chain';
import { newAccount } from '../chain/genesis';
import { initMiner } from '../protocol';

/** Of a full vote of an account of the seed, which has 1,000,000 VESTS. */
const full = 19_950_000_000n;

let chain: DevnetChain;
beforeEach(() => {
  chain = new DevnetChain({ unsigned: true });
  write('alice');
});

/** A post of each account, named as it. */
function write(author: string): void {
  const value = { parent_author: '', parent_permlink: 'bees', author, permlink: author, title: '', body: 'A body' };
  chain.include([['comment', { ...value, json_metadata: '' }]], []);
}

function vote(voter: string, author: string, weight = 10_000): void {
  chain.include([['vote', { voter, author, permlink: author, weight }]], []);
}

const post = (author = 'alice') => chain.state.comments.get(author, author);
const reputation = (name: string) => chain.state.getAccount(name).reputation;

function effects(): unknown[] {
  return chain
    .produceBlock()
    .operations.filter(({ operation }) => operation.name === 'effective_comment_vote')
    .map(({ operation }) => operation.value);
}

describe('a vote', () => {
  it('has the rshares of the effective VESTS of the voter', () => {
    vote('bob', 'alice');
    vote('carol', 'alice', 5_000);
    const delegation = { delegator: 'dave', delegatee: 'erin', vesting_shares: '500000.000000 VESTS' };
    chain.include([['delegate_vesting_shares', delegation]], []);
    vote('dave', 'alice');
    vote('erin', 'alice', -10_000);
    expect(chain.state.votes.on(post()).map(({ voter, rshares }) => [voter, rshares])).toEqual([
      ['bob', full],
      ['carol', 9_950_000_000n],
      ['dave', 9_950_000_000n],
      ['erin', -29_950_000_000n],
    ]);
    expect(post()).toMatchObject({ netRshares: 9_900_000_000n, absRshares: 69_800_000_000n });
  });

  it('by a large account is worth a thousand HBD, and one by a tiny account nothing', () => {
    vote(initMiner, 'alice');
    chain.include([['account_create', newAccount('newcomer')]], []);
    vote('newcomer', 'alice');
    expect(effects()).toMatchObject([
      { voter: initMiner, rshares: 19_999_950_000_000n, pending_payout: { units: 999_997n, symbol: 'HBD' } },
      { voter: 'newcomer', rshares: 0n, weight: 0n, pending_payout: { units: 999_997n } },
    ]);
  });

  it('is returned with its effect, in the block of the vote', () => {
    vote('bob', 'alice');
    vote('carol', 'alice', -10_000);
    const effect = { voter: 'bob', author: 'alice', permlink: 'alice', weight: full, rshares: full };
    const payout = { total_vote_weight: full, pending_payout: { units: 997n, symbol: 'HBD' } };
    expect(effects()).toEqual([
      { ...effect, ...payout, pending_payout: expect.objectContaining(payout.pending_payout) as unknown },
      expect.objectContaining({ voter: 'carol', weight: 0n, rshares: -full, total_vote_weight: full }),
    ]);
    expect(chain.state.getAccount('bob').activity.lastVote).toBe(post().created);
  });

  it('replaces an earlier one, even with weight 0', () => {
    vote('bob', 'alice');
    vote('bob', 'alice', 5_000);
    expect(post()).toMatchObject({ netRshares: 9_950_000_000n, totalVoteWeight: 9_950_000_000n });
    vote('bob', 'alice', -5_000);
    expect(post()).toMatchObject({ netRshares: -9_950_000_000n, absRshares: 9_950_000_000n, totalVoteWeight: 0n });
    vote('bob', 'alice', 0);
    expect(post()).toMatchObject({ netRshares: 0n, absRshares: 0n, totalVoteWeight: 0n });
    expect(effects()).toHaveLength(4);
  });

  it.each<[string, string, number, string]>([
    ['stranger', 'alice', 1, 'unknown account stranger'],
    ['bob', 'carol', 1, 'unknown comment carol/carol'],
    ['bob', 'alice', 0, 'Vote weight cannot be 0.'],
    ['bob', 'alice', 10_001, 'Weight is not a HIVE percentage'],
    ['bob', 'alice', -10_001, 'Weight is not a HIVE percentage'],
    ['bob', 'alice', 0.5, "Couldn't parse int64_t"],
    ['judy', 'alice', 10_000, 'identical to this vote'],
  ])('of %s on %s with %d is rejected', (voter, author, weight, message) => {
    vote('judy', 'alice');
    chain.produceBlock();
    expect(() => {
      vote(voter, author, weight);
    }).toThrow(message);
  });
});

describe('a reputation', () => {
  it('is a sixty-fourth of the received rshares', () => {
    expect(reputation('alice')).toBeUndefined();
    vote('bob', 'alice');
    vote('alice', 'alice');
    expect(reputation('alice')).toBe(2n * (full >> 6n));
  });

  it('decreases when a vote is withdrawn', () => {
    vote('bob', 'alice');
    vote('carol', 'alice');
    vote('bob', 'alice', 5_000);
    expect(reputation('alice')).toBe((full >> 6n) + (9_950_000_000n >> 6n));
    vote('bob', 'alice', 0);
    expect(reputation('alice')).toBe(full >> 6n);
  });

  it('is decreased by downvotes of accounts with a higher one', () => {
    vote('bob', 'alice', -10_000);
    expect(reputation('alice')).toBeUndefined();
    for (const author of ['bob', 'carol']) write(author);
    vote('judy', 'bob');
    vote('bob', 'alice', -5_000);
    expect(reputation('alice')).toBe(-9_950_000_000n >> 6n);
    vote('judy', 'carol', 5_000);
    vote('carol', 'bob', -10_000);
    expect(reputation('bob')).toBe(full >> 6n);
    vote('bob', 'alice', 0);
    expect(reputation('alice')).toBe(0n);
  });

  it('is not decreased by a downvote of an account with an equal one', () => {
    write('bob');
    vote('judy', 'bob');
    vote('judy', 'alice');
    vote('bob', 'alice', -10_000);
    expect(reputation('alice')).toBe(full >> 6n);
  });

  it('below zero makes votes ineffective', () => {
    write('bob');
    write('carol');
    vote('judy', 'bob');
    vote('bob', 'alice', -10_000);
    vote('alice', 'carol');
    expect(reputation('alice')).toBeLessThan(0n);
    expect(reputation('carol')).toBeUndefined();
  });
});
