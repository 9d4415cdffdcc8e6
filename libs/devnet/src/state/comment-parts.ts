import { type Asset, hbd } from './assets';
import { type Comment, type PostName } from './comments';
import { type ChainState } from './state';

/** The amounts that were paid out for a comment; 0 before its payout. */
export function payoutSums({ payout }: Comment): { total: Asset; curators: Asset } {
  if (!payout) return { total: hbd(0), curators: hbd(0) };
  return { total: payout.author.plus(payout.curators), curators: payout.curators };
}

export function rootOf(state: ChainState, { root }: Comment): Comment {
  return state.comments.get(root.author, root.permlink);
}

export function refOf({ author, permlink }: PostName): string {
  return `${author}/${permlink}`;
}

/** The path of the comment on web pages. */
export function urlOf(comment: Comment): string {
  const url = `/${comment.category}/@${refOf(comment.root)}`;
  return comment.depth === 0 ? url : `${url}#@${refOf(comment)}`;
}
