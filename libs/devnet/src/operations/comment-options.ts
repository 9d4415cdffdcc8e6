import { parseAccountName } from '../account';
import { Asset } from '../assets';
import { type CommentOptions } from '../comments';
import { assertion } from '../errors';
import { countOf, fieldsOf, flagOf, listOf } from '../fields';
import { fullWeight } from '../rewards';
import { type ChainState } from '../state';
import { parseBeneficiaries } from './beneficiaries';
import { defineOperation } from './operation';
import { parsePermlink } from './permlinks';

/** Restricts what a comment may have or earn; restrictions cannot be lifted. */
export const commentOptions = defineOperation({
  name: 'comment_options',
  parse(json) {
    const fields = fieldsOf(json);
    const value = {
      author: parseAccountName(fields['author']),
      permlink: parsePermlink(fields['permlink']),
      max_accepted_payout: Asset.parse(fields['max_accepted_payout']),
      percent_hbd: countOf(fields['percent_hbd']),
      allow_votes: flagOf(fields['allow_votes']),
      allow_curation_rewards: flagOf(fields['allow_curation_rewards']),
      extensions: listOf(fields['extensions']).map(parseBeneficiaries),
    };
    if (value.percent_hbd > fullWeight) {
      throw assertion('percent_hbd <= HIVE_100_PERCENT', 'Percent cannot exceed 100%');
    }
    if (value.max_accepted_payout.symbol !== 'HBD') {
      throw assertion('max_accepted_payout.symbol == HBD_SYMBOL', 'Max accepted payout must be in HBD');
    }
    return value;
  },
  requires: ({ author }) => [{ role: 'posting', account: author }],
  apply(value, { state }) {
    const comment = state.comments.get(value.author, value.permlink);
    if (comment.payout) {
      throw assertion('comment_cashout', 'Updating parameters for comment that is paid out is forbidden.');
    }
    const { options } = comment;
    const next: CommentOptions = {
      maxAcceptedPayout: value.max_accepted_payout,
      percentHbd: value.percent_hbd,
      allowVotes: value.allow_votes,
      allowCurationRewards: value.allow_curation_rewards,
      beneficiaries: [...options.beneficiaries, ...value.extensions.flatMap(({ beneficiaries }) => beneficiaries)],
    };
    const hasVotes = state.votes.on(comment).length > 0;
    checkOptions(options, next, hasVotes);
    for (const { account } of next.beneficiaries) checkBeneficiary(state, account);
    state.comments.put({ ...comment, options: next });
  },
});

function checkOptions(before: CommentOptions, next: CommentOptions, hasVotes: boolean): void {
  const acceptsLess = next.maxAcceptedPayout.units < before.maxAcceptedPayout.units;
  if (hasVotes && (acceptsLess || !next.allowVotes || !next.allowCurationRewards)) {
    throw assertion(
      '!comment_cashout->has_votes()',
      'One of the included comment options requires the comment to have no rshares allocated to it.',
    );
  }
  if (!before.allowCurationRewards && next.allowCurationRewards) {
    throw assertion('allows_curation_rewards() >= o.allow_curation_rewards', 'Curation rewards cannot be re-enabled.');
  }
  if (!before.allowVotes && next.allowVotes) {
    throw assertion('allows_votes() >= o.allow_votes', 'Voting cannot be re-enabled.');
  }
  if (next.maxAcceptedPayout.units > before.maxAcceptedPayout.units) {
    throw assertion('get_max_accepted_payout() >= o.max_accepted_payout', 'A comment cannot accept a greater payout.');
  }
  if (next.percentHbd > before.percentHbd) {
    throw assertion('get_percent_hbd() >= o.percent_hbd', 'A comment cannot accept a greater percent HBD.');
  }
  if (next.beneficiaries.length === before.beneficiaries.length) return;
  if (before.beneficiaries.length > 0) {
    throw assertion('get_beneficiaries().size() == 0', 'Comment already has beneficiaries specified.');
  }
  if (hasVotes) {
    throw assertion('!has_votes()', 'Comment must not have been voted on before specifying beneficiaries.');
  }
}

function checkBeneficiary(state: ChainState, account: string): void {
  if (!state.findAccount(account)) throw assertion('acc != nullptr', 'Beneficiary "${a}" must exist.', { a: account });
}
