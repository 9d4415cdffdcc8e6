import { JsonText } from '../rpc/json-text';
import { hbdText } from './amounts';
import { countCharacters, firstCharacters } from './characters';
import { activeVote, voteFields } from './condenser-vote';
import { expectedPayout } from './post-payout';
import { parentPermlinkOf, urlOf } from './post-links';
import { type Post } from './read-posts';
import { cashoutTime, neverText, timeText } from './times';

export interface CondenserPostOptions {
  /** Maximum number of characters of the body; 0 for all. */
  readonly truncateBody?: number;
  /** Names of the accounts that reblogged it. */
  readonly rebloggedBy?: readonly string[];
}

/** Formats a post as the lists of `condenser_api` do. */
export function condenserPost(post: Post, { truncateBody = 0, rebloggedBy = [] }: CondenserPostOptions = {}) {
  return {
    ...commonFields(post, truncateBody),
    post_id: BigInt(post.id),
    active_votes: post.votes.map((vote) => ({ ...voteFields(vote), percent: String(vote.percent) })),
    curator_payout_value: hbdText(post.isPaid ? BigInt(post.curatorPayout) : 0n),
    pending_payout_value: hbdText(expectedPayout(post)),
    total_payout_value: hbdText(post.isPaid ? BigInt(post.authorPayout) : 0n),
    net_rshares: BigInt(post.rshares),
    ...(rebloggedBy.length > 0 && { reblogged_by: rebloggedBy }),
  };
}

/** Formats a post as `condenser_api.get_content` does. */
export function condenserContent(post: Post) {
  const [rshares, absoluteRshares] = post.isPaid ? [0n, 0n] : [BigInt(post.rshares), BigInt(post.absoluteRshares)];
  return {
    ...commonFields(post, 0),
    id: BigInt(post.id),
    active_votes: post.votes.map(activeVote),
    author_rewards: BigInt(post.authorRewards),
    max_cashout_time: neverText,
    curator_payout_value: hbdText(BigInt(post.curatorPayout)),
    pending_payout_value: hbdText(expectedPayout(post)),
    total_payout_value: hbdText(BigInt(post.authorPayout)),
    total_pending_payout_value: hbdText(0n),
    reward_weight: 10_000,
    root_author: post.rootAuthor,
    root_permlink: post.rootPermlink,
    allow_replies: true,
    allow_votes: post.allowsVotes,
    allow_curation_rewards: post.allowsCurationRewards,
    net_votes: post.netVotes,
    children_abs_rshares: 0,
    reblogged_by: [],
    total_vote_weight: post.isPaid ? 0n : BigInt(post.totalVoteWeight),
    vote_rshares: (rshares + absoluteRshares) / 2n,
    net_rshares: rshares,
    abs_rshares: absoluteRshares,
  };
}

function commonFields(post: Post, truncateBody: number) {
  const { category, isPaid, paidAt } = post;
  return {
    author: post.author,
    permlink: post.permlink,
    // A post has no category if its parent permlink is empty.
    category: category === null || category === '' ? 'undefined' : category,
    title: post.title,
    body: truncateBody > 0 ? firstCharacters(post.body, truncateBody) : post.body,
    json_metadata: post.metadata === '' ? '{}' : post.metadata,
    created: timeText(post.created),
    last_update: timeText(post.updated),
    depth: post.depth,
    children: post.children,
    last_payout: isPaid && paidAt !== null ? timeText(paidAt) : neverText,
    cashout_time: isPaid ? neverText : timeText(cashoutTime(post.created)),
    replies: [],
    body_length: countCharacters(post.body),
    author_reputation: BigInt(post.reputation),
    parent_author: post.parentAuthor ?? '',
    parent_permlink: parentPermlinkOf(post),
    url: urlOf(post),
    root_title: post.rootTitle,
    beneficiaries: new JsonText(post.beneficiaries ?? '[]'),
    max_accepted_payout: hbdText(BigInt(post.maxAcceptedPayout)),
    percent_hbd: post.percentHbd,
  };
}
