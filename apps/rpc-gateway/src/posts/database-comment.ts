import { JsonText } from '../rpc/json-text';
import { hbdObject } from './amounts';
import { parentPermlinkOf } from './post-links';
import { type Post } from './read-posts';
import { cashoutTime, neverText, timeText } from './times';

/** Formats a post as `database_api` does. */
export function databaseComment(post: Post) {
  const { isPaid, paidAt } = post;
  const [rshares, absoluteRshares] = isPaid ? [0n, 0n] : [BigInt(post.rshares), BigInt(post.absoluteRshares)];
  return {
    id: BigInt(post.id),
    author: post.author,
    permlink: post.permlink,
    category: post.category ?? '',
    title: post.title,
    body: post.body,
    json_metadata: post.metadata === '' ? '{}' : post.metadata,
    created: timeText(post.created),
    last_update: timeText(post.updated),
    last_payout: paidAt === null ? neverText : timeText(paidAt),
    cashout_time: isPaid ? neverText : timeText(cashoutTime(post.created)),
    max_cashout_time: neverText,
    depth: post.depth,
    children: post.children,
    parent_author: post.parentAuthor ?? '',
    parent_permlink: parentPermlinkOf(post),
    root_author: post.rootAuthor,
    root_permlink: post.rootPermlink,
    author_rewards: BigInt(post.authorRewards),
    reward_weight: 10_000,
    allow_replies: true,
    allow_votes: post.allowsVotes,
    allow_curation_rewards: post.allowsCurationRewards,
    beneficiaries: new JsonText(post.beneficiaries ?? '[]'),
    percent_hbd: post.percentHbd,
    max_accepted_payout: hbdObject(BigInt(post.maxAcceptedPayout)),
    curator_payout_value: hbdObject(BigInt(post.curatorPayout)),
    total_payout_value: hbdObject(BigInt(post.authorPayout)),
    net_votes: post.netVotes,
    total_vote_weight: isPaid ? 0n : BigInt(post.totalVoteWeight),
    vote_rshares: (rshares + absoluteRshares) / 2n,
    net_rshares: rshares,
    abs_rshares: absoluteRshares,
    children_abs_rshares: 0,
  };
}
