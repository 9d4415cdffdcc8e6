import { parseAccountName } from '../state/account';
import { type Comment, pendingPayout } from '../state/comments';
import { assertion } from '../errors';
import { fieldsOf, integerOf } from '../fields';
import { countVote, uncountVote } from '../state/reputation';
import { fullWeight, rsharesOf, type Vote } from '../state/votes';
import { type ApplyContext, defineOperation } from './operation';
import { parsePermlink } from './permlinks';

/** Votes for or against a comment, and replaces an earlier vote; a weight of 0 removes it. */
export const vote = defineOperation({
  name: 'vote',
  parse(json) {
    const fields = fieldsOf(json);
    const value = {
      voter: parseAccountName(fields['voter']),
      author: parseAccountName(fields['author']),
      permlink: parsePermlink(fields['permlink']),
      weight: integerOf(fields['weight']),
    };
    if (Math.abs(value.weight) > fullWeight) {
      throw assertion('abs(weight) <= HIVE_100_PERCENT', 'Weight is not a HIVE percentage');
    }
    return value;
  },
  requires: ({ voter }) => [{ role: 'posting', account: voter }],
  apply({ voter, author, permlink, weight: percent }, context) {
    const { state, now } = context;
    const comment = state.comments.get(author, permlink);
    const account = state.getAccount(voter);
    // A vote after the payout is accepted and has no effect.
    if (comment.payout) return;
    const before = state.votes.find(comment, voter);
    if (!before && percent === 0) throw assertion('o.weight != 0', 'Vote weight cannot be 0.');
    if (before?.percent === percent) {
      throw assertion(
        'itr->get_vote_percent() != o.weight',
        'Your current vote on this comment is identical to this vote.',
      );
    }
    const rshares = rsharesOf(account, percent);
    const weight = rshares > 0n ? rshares : 0n;
    state.putAccount({ ...account, activity: { ...account.activity, lastVote: now } });
    replace(comment, before, { voter, percent, rshares, weight, time: now }, context);
  },
});

function replace(comment: Comment, before: Vote | undefined, vote: Vote, { state, emit }: ApplyContext): void {
  const { author, permlink } = comment;
  if (before) uncountVote(state, author, before);
  countVote(state, author, vote);
  const { rshares = 0n, weight = 0n } = before ?? {};
  const voted = {
    ...comment,
    netRshares: comment.netRshares + vote.rshares - rshares,
    absRshares: comment.absRshares + absolute(vote.rshares) - absolute(rshares),
    totalVoteWeight: comment.totalVoteWeight + vote.weight - weight,
  };
  state.votes.put(comment, vote);
  state.comments.put(voted);
  emit({
    name: 'effective_comment_vote',
    value: {
      voter: vote.voter,
      author,
      permlink,
      weight: vote.weight,
      rshares: vote.rshares,
      total_vote_weight: voted.totalVoteWeight,
      pending_payout: pendingPayout(voted),
    },
  });
}

function absolute(rshares: bigint): bigint {
  return rshares < 0n ? -rshares : rshares;
}
