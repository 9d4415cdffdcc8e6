import { type Comment, pendingPayout } from '../../state/comments';
import { isFields, type Fields } from '../../fields';
import { type ChainState } from '../../state/state';
import { gatewayError } from './errors';
import { limitOf } from './parameters';
import { metadataOf } from './post-object';

/** Maximum number of posts per request. */
const maxPosts = 20;

export const rankings = ['trending', 'hot', 'created', 'payout', 'payout_comments', 'muted'] as const;
type Ranking = (typeof rankings)[number];

/** `blog` and `feed` would need reblogs and follows, which the chain carries but does not interpret. */
export const accountLists = ['posts', 'comments', 'replies', 'payout'] as const;
type AccountList = (typeof accountLists)[number];

/**
 * Posts with a tag or of a community, or all if `tag` is empty. All rankings but `created` go by the pending payout.
 */
export function rankedPosts({ comments }: ChainState, ranking: Ranking, tag: string): Comment[] {
  const isReply = ranking === 'payout_comments';
  const found = newestFirst(comments.all()).filter(
    (comment) => comment.depth > 0 === isReply && (tag === '' || tag === 'all' || hasTag(comment, tag)),
  );
  if (ranking === 'muted') return [];
  return ranking === 'created' ? found : bestPaidFirst(found);
}

export function accountPosts({ comments }: ChainState, list: AccountList, account: string): Comment[] {
  const all = newestFirst(comments.all());
  const own = all.filter(({ author }) => author === account);
  switch (list) {
    case 'posts':
      return own.filter(({ depth }) => depth === 0);
    case 'comments':
      return own.filter(({ depth }) => depth > 0);
    case 'replies':
      return all.filter(({ parentAuthor }) => parentAuthor === account);
    case 'payout':
      return bestPaidFirst(own.filter(({ payout }) => !payout));
  }
}

/** Returns at most `limit` comments after the one of `start_author` and `start_permlink`. @throws NodeError */
export function pageOf(state: ChainState, comments: readonly Comment[], params: Fields): Comment[] {
  const limit = limitOf(params['limit'], maxPosts);
  const [author, permlink] = [params['start_author'] ?? '', params['start_permlink'] ?? ''];
  if (typeof author !== 'string') throw gatewayError('invalid account name type');
  if (typeof permlink !== 'string') throw gatewayError('permlink must be string');
  if (author === '' && permlink === '') return comments.slice(0, limit);
  const start = postOf(state, author, permlink);
  const first = comments.findIndex(({ id }) => id === start.id) + 1;
  return comments.slice(first, first + limit);
}

/** @throws NodeError as a gateway does. */
export function postOf({ comments }: ChainState, author: string, permlink: string): Comment {
  const comment = comments.find(author, permlink);
  if (!comment) throw gatewayError(`Post ${author}/${permlink} does not exist`);
  return comment;
}

function newestFirst(comments: readonly Comment[]): Comment[] {
  return comments.toReversed();
}

/** Comments with equal payouts keep their order: sorting is stable. */
function bestPaidFirst(comments: readonly Comment[]): Comment[] {
  return comments.toSorted((a, b) => Number(pendingPayout(b).units - pendingPayout(a).units));
}

function hasTag({ category, jsonMetadata }: Comment, tag: string): boolean {
  const metadata = metadataOf(jsonMetadata);
  const tags: unknown = isFields(metadata) ? metadata['tags'] : undefined;
  return category === tag || (Array.isArray(tags) && tags.includes(tag));
}
