import { responsesTooLong } from '@waggle/contracts';
import { type Queryable, type RowIn } from '@waggle/service';
import { encodeJson } from '../rpc/encode-json';
import { type JsonText } from '../rpc/json-text';
import { votesOnPosts } from './votes.statements';
import { getPost } from './known-posts';
import { longReads, maxShortRead } from './long-reads';
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

const votesOf = (observerId: number | null) => ({
  observerId,
  perPost: maxVotesPerPost,
  limit: maxVotes + 1,
});

interface PostsOptions {
  /** The account whose blacklists count, and without the votes of accounts that it has muted; null without one. */
  readonly observerId: number | null;
  /** Whether the votes are needed; true by default. */
  readonly hasVotes?: boolean;
}

/**
 * Reads the posts that exist of those with the ids, in their order.
 *
 * @param resultOf makes the result of the method
 * @returns the result as JSON
 * @throws RpcError if the response would be too long, a body is missing, or too many long reads wait
 */
export async function postsJson(
  sources: PostSources,
  ids: readonly string[],
  options: PostsOptions,
  resultOf: (posts: Post[]) => unknown,
): Promise<JsonText> {
  const read = async () => encodeJson(resultOf(await readPosts(sources, ids, options)));
  return ids.length > maxShortRead ? longReads.run(read) : read();
}

async function readPosts(
  { database, postBodies }: PostSources,
  ids: readonly string[],
  { observerId, hasVotes = true }: PostsOptions,
): Promise<Post[]> {
  if (ids.length === 0) return [];
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
 * Reads one post as `postsJson` does.
 *
 * @throws RpcError also if it does not exist
 */
export async function postJson(
  sources: PostSources,
  { author, permlink }: { readonly author: string; readonly permlink: string },
  observerId: number | null,
  resultOf: (post: Post) => unknown,
): Promise<JsonText> {
  const { id } = await getPost(sources.database, author, permlink);
  const [post] = await readPosts(sources, [id], { observerId });
  if (post !== undefined) return encodeJson(resultOf(post));
  // If it was deleted meanwhile, the error says so.
  await getPost(sources.database, author, permlink);
  throw new Error(`The index lacks the content or the payout of post ${id}`);
}
