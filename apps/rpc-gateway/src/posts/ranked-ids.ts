import { assertionFailed } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';
import { communityId } from '../communities/communities.statements';
import { longReads } from './long-reads';
import {
  categoryInUse,
  pinnedPage,
  pinnedPost,
  rankedPages,
  type RankingName,
  type ScopeName,
  tagInUse,
} from './ranked-pages';

export interface RankedPage {
  readonly ranking: RankingName;
  /** Id of the last post of the previous page. */
  readonly after: string | null;
  readonly observerId: number | null;
  /** Bit set of reasons for which muted posts are left out. */
  readonly reasons: number | null;
  readonly limit: number;
}

/** Reads a page of a ranking. @param of what the posts belong to: a tag, or the id of a community or an account */
export async function rankedIds(
  database: Queryable,
  scope: ScopeName,
  of: string | number | null,
  { ranking, ...page }: RankedPage,
): Promise<string[]> {
  const read = () => rankedPages[scope][ranking].query(database, { scope: of, ...page });
  // Muted posts are found among all unpaid ones: no index has the reputation of authors, which votes change.
  const rows = await (ranking === 'muted' ? longReads.run(read) : read());
  return rows.map(({ id }) => id);
}

/**
 * Reads a page of the posts with a tag, or with a category if the ranking is by payout.
 *
 * @throws RpcError if no post has it
 */
export async function rankedIdsWithTag(database: Queryable, tag: string, page: RankedPage): Promise<string[]> {
  if (page.ranking.startsWith('payout')) await checkCategory(database, tag);
  else if ((await tagInUse.execute(database, { tag })) === 0) throw assertionFailed(`Tag ${tag} does not exist`);
  return rankedIds(database, 'tag', tag, page);
}

/** @throws RpcError if no post has the category */
export async function checkCategory(database: Queryable, category: string): Promise<void> {
  if ((await categoryInUse.execute(database, { category })) === 0)
    throw assertionFailed(`Category ${category} does not exist`);
}

/** Reads a page of the posts in a community; empty if it does not exist. */
export async function rankedIdsInCommunity(database: Queryable, name: string, page: RankedPage): Promise<string[]> {
  const community = await communityId.find(database, { name });
  return community === undefined ? [] : rankedIds(database, 'community', community.id, page);
}

/**
 * Reads a page of the posts in a community, with the pinned posts first, newest first. After a pinned post, the rest of
 * the pinned ones come before the others. Empty if the community does not exist.
 */
export async function pinnedAndRankedIds(database: Queryable, name: string, page: RankedPage): Promise<string[]> {
  const community = await communityId.find(database, { name });
  if (community === undefined) return [];
  const { after, limit, ranking, ...options } = page;
  const mayHavePinned = after === null || (await pinnedPost.execute(database, { id: after })) > 0;
  if (!mayHavePinned) return rankedIds(database, 'unpinned', community.id, page);
  const rows = await pinnedPage.query(database, { communityId: community.id, after, limit, ...options });
  const pinned = rows.map(({ id }) => id);
  if (pinned.length === limit) return pinned;
  const rest = { ranking, ...options, after: null, limit: limit - pinned.length };
  return [...pinned, ...(await rankedIds(database, 'unpinned', community.id, rest))];
}
