import { responsesTooLong } from '@waggle/contracts';
import { type Queryable, type RowIn } from '@waggle/service';
import { votesOnPosts } from './votes.statements';
import { getPost } from './known-posts';
import { longReads } from './long-reads';
import { type PostBodies } from './post-bodies';
import { observedAuthors, postRows } from './posts.statements';

export type Vote = RowIn<typeof votesOnPosts>;

/** A post as the formats need it. */
export interface Post extends RowIn<typeof postRows> {
  readonly body: string;
  readonly votes: readonly Vote[];
  /** The blacklists of the observer that the author is on; empty without an observer. */
  readonly blacklists: readonly string[];
  /** Whether the observer has muted the author, also by the mute lists that it follows. */
  readonly isMutedByObserver: boolean;
}

interface PostSources {
  readonly database: Queryable;
  readonly postBodies: PostBodies;
}

/** A post lists at most this many votes, like Hivemind. */
export const maxVotesPerPost = 1_000;
/** Maximum number of votes in a response: some 30 MB of rows. */
const maxVotes = 100_000;

/** Maximum number of posts that are read without a slot of `longReads`. */
const maxShortList = 100;

const votesOf = (observerId: number | null) => ({
  observerId,
  perPost: maxVotesPerPost,
  limit: maxVotes + 1,
});

/**
 * Reads the posts that exist of those with the ids, in their order.
 *
 * @param observerId of the account whose blacklists count, and without the votes of accounts that it has muted;
 *   null without one
 * @param hasVotes whether the votes are needed
 * @throws RpcError if the response would be too long, a body is missing, or too many long reads wait
 */
export async function readPosts(
  sources: PostSources,
  ids: readonly string[],
  observerId: number | null = null,
  hasVotes = true,
): Promise<Post[]> {
  if (ids.length === 0) return [];
  const read = () => readAll(sources, ids, observerId, hasVotes);
  return ids.length > maxShortList ? longReads.run(read) : read();
}

async function readAll(
  { database, postBodies }: PostSources,
  ids: readonly string[],
  observerId: number | null,
  hasVotes: boolean,
): Promise<Post[]> {
  const rows = await postRows.query(database, { ids });
  const votes = hasVotes ? await votesOnPosts.query(database, { ids, ...votesOf(observerId) }) : [];
  if (votes.length > maxVotes) throw responsesTooLong();
  const votesById = new Map<string, Vote[]>(ids.map((id) => [id, []]));
  for (const vote of votes) votesById.get(vote.postId)?.push(vote);
  const accountIds = [...new Set(rows.map(({ authorId }) => authorId))];
  const authors = observerId === null ? [] : await observedAuthors.query(database, { observerId, accountIds });
  // Last, so that no call waits for the database with long bodies in memory.
  const bodies = await postBodies.find(rows);
  const authorById = new Map(authors.map((author) => [author.id, author]));
  return rows.map((row) => ({
    ...row,
    body: bodies.get(row.id) ?? '',
    votes: votesById.get(row.id) ?? [],
    blacklists: authorById.get(row.authorId)?.blacklists ?? [],
    isMutedByObserver: authorById.get(row.authorId)?.isMuted ?? false,
  }));
}

/**
 * Reads one post as `readPosts` does.
 *
 * @throws RpcError also if it does not exist
 */
export async function readPost(
  sources: PostSources,
  { author, permlink }: { readonly author: string; readonly permlink: string },
  observerId: number | null,
): Promise<Post> {
  const { id } = await getPost(sources.database, author, permlink);
  const [post] = await readPosts(sources, [id], observerId);
  if (post !== undefined) return post;
  // If it was deleted meanwhile, the error says so.
  await getPost(sources.database, author, permlink);
  throw new Error(`The index lacks the content or the payout of post ${id}`);
}
