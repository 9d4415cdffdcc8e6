import { type Comment, maxAcceptedPayout, pendingPayout } from '../../state/comments';
import { type ChainState } from '../../state/state';
import { fullPercent } from '../../percent';
import { hbd } from '../../state/assets';
import { neverHappened } from '../../time';
import { payoutSums, rootOf, urlOf } from '../../state/comment-parts';

/** hived's value for no time. */
const noTime = '1969-12-31T23:59:59';

/** Fields that condenser_api.get_content and database_api.find_comments share; amounts are `Asset`s. */
function commentObject(state: ChainState, comment: Comment): object {
  const { payout, root } = comment;
  const { total, curators } = payoutSums(comment);
  const rshares = payout
    ? { total_vote_weight: 0, vote_rshares: 0, net_rshares: 0, abs_rshares: 0 }
    : {
        total_vote_weight: Number(comment.totalVoteWeight),
        vote_rshares: Number((comment.netRshares + comment.absRshares) / 2n),
        net_rshares: Number(comment.netRshares),
        abs_rshares: Number(comment.absRshares),
      };
  return {
    id: comment.id,
    author: comment.author,
    permlink: comment.permlink,
    category: comment.category,
    title: comment.title,
    body: comment.body,
    json_metadata: comment.jsonMetadata,
    created: comment.created,
    last_update: comment.lastUpdate,
    depth: comment.depth,
    children: comment.children,
    last_payout: payout ? comment.payoutTime : neverHappened,
    cashout_time: payout ? noTime : comment.payoutTime,
    max_cashout_time: noTime,
    total_payout_value: total.minus(curators),
    curator_payout_value: curators,
    reward_weight: fullPercent,
    author_rewards: Number(payout?.author.units ?? 0n),
    root_author: root.author,
    root_permlink: root.permlink,
    allow_replies: true,
    allow_votes: true,
    allow_curation_rewards: true,
    parent_author: comment.parentAuthor,
    parent_permlink: comment.parentPermlink,
    beneficiaries: [],
    max_accepted_payout: maxAcceptedPayout,
    percent_hbd: fullPercent,
    net_votes: state.votes.on(comment).reduce((sum, { rshares }) => sum + signOf(rshares), 0),
    children_abs_rshares: 0,
    ...rshares,
  };
}

/** The object of database_api.find_comments. */
export function appbaseCommentObject(state: ChainState, comment: Comment): object {
  return { ...commentObject(state, comment), active: comment.lastUpdate };
}

/** The object of condenser_api.get_content, with votes. */
export function contentObject(state: ChainState, comment: Comment): object {
  return {
    ...commentObject(state, comment),
    url: urlOf(comment),
    root_title: rootOf(state, comment).title,
    pending_payout_value: pendingPayout(comment),
    total_pending_payout_value: hbd(0),
    promoted: hbd(0),
    replies: [],
    reblogged_by: [],
    body_length: comment.body.length,
    author_reputation: Number(state.getAccount(comment.author).reputation ?? 0n),
    active_votes: activeVotes(state, comment),
  };
}

/** The objects of condenser_api.get_active_votes. */
export function activeVotes(state: ChainState, comment: Comment): object[] {
  return state.votes.on(comment).map((vote) => ({
    percent: vote.percent,
    reputation: Number(state.getAccount(vote.voter).reputation ?? 0n),
    rshares: Number(vote.rshares),
    time: vote.time,
    voter: vote.voter,
    weight: Number(vote.weight),
  }));
}

function signOf(rshares: bigint): number {
  if (rshares === 0n) return 0;
  return rshares < 0n ? -1 : 1;
}
