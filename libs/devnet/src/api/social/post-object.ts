import { fullPercent } from '../../percent';
import { type Account } from '../../state/account';
import { type Comment, maxAcceptedPayout, pendingPayout } from '../../state/comments';
import { isFields } from '../../fields';
import { type ChainState } from '../../state/state';
import { payoutSums, refOf, rootOf, urlOf } from '../../state/comment-parts';
import { reputationScore } from '../../state/reputation';

/** A post or a reply as `bridge` writes it. Community data (titles, roles, mutes, pins) is not implemented. */
export function postObject(state: ChainState, comment: Comment): object {
  const author = state.getAccount(comment.author);
  const votes = state.votes.on(comment);
  const { total, curators } = payoutSums(comment);
  const pending = pendingPayout(comment);
  return {
    post_id: comment.id,
    author: comment.author,
    permlink: comment.permlink,
    category: comment.category,
    title: comment.depth === 0 ? comment.title : `RE: ${rootOf(state, comment).title}`,
    body: comment.body,
    json_metadata: metadataOf(comment.jsonMetadata),
    created: comment.created,
    updated: comment.lastUpdate,
    depth: comment.depth,
    children: comment.children,
    net_rshares: Number(comment.netRshares),
    is_paidout: comment.payout !== undefined,
    payout_at: comment.payoutTime,
    payout: Number(total.plus(pending).units) / 1000,
    pending_payout_value: pending.legacy(),
    author_payout_value: total.minus(curators).legacy(),
    curator_payout_value: curators.legacy(),
    replies: [],
    reblogs: 0,
    author_reputation: reputationScore(author.reputation),
    stats: { hide: false, gray: isGray(author), total_votes: votes.length, flag_weight: flagWeight(comment) },
    url: urlOf(comment),
    beneficiaries: [],
    max_accepted_payout: maxAcceptedPayout.legacy(),
    percent_hbd: fullPercent,
    ...(comment.depth > 0 && { parent_author: comment.parentAuthor, parent_permlink: comment.parentPermlink }),
    active_votes: votes.map(({ voter, rshares }) => ({ rshares: Number(rshares), voter })),
    blacklists: [],
  };
}

/** A thread: all comments under a post or a reply, by `author/permlink`, each with the names of its replies. */
export function discussionObject(state: ChainState, comment: Comment): Record<string, object> {
  const replies = state.comments.repliesTo(comment);
  const own = { [refOf(comment)]: { ...postObject(state, comment), replies: replies.map(refOf) } };
  return Object.assign(own, ...replies.map((reply) => discussionObject(state, reply))) as Record<string, object>;
}

/** Parses a JSON object; empty for any other text. */
export function metadataOf(json: string): object {
  try {
    const metadata: unknown = JSON.parse(json);
    return isFields(metadata) ? metadata : {};
  } catch {
    // The field need not be JSON.
    return {};
  }
}

function isGray({ reputation }: Account): boolean {
  return reputation !== undefined && reputation < 0n;
}

/** The number of digits of half the rshares against the comment, minus ten; at least 0. */
function flagWeight({ netRshares, absRshares }: Comment): number {
  const against = (absRshares - netRshares) / 2n;
  return Math.max(String(against / 2n).length - 10, 0);
}
