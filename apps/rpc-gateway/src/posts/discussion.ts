import { type Queryable } from '@waggle/service';
import { discussionPart, discussionStart } from './discussion.statements';
import { longReads, maxShortRead } from './long-reads';

/** Maximum number of posts in a discussion, like Hivemind's. */
const maxPosts = 2_000;

interface DiscussionOptions {
  readonly id: string;
  /** Threads that begin with a comment by an account that the observer has muted are left out. */
  readonly observerId: number | null;
  /** Bit set of reasons: posts that are muted for one of them are left out, but not the replies to them. */
  readonly reasons: number | null;
}

/**
 * Reads which posts are in the discussion that begins with a post, oldest first. Replies are newer than their parents,
 * so the oldest posts of a long discussion form a tree.
 *
 * @returns the links (`author/permlink`) of the replies to each post, by its id
 * @throws RpcError if too many long reads wait
 */
export async function readDiscussion(
  database: Queryable,
  { id, observerId, reasons }: DiscussionOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const start = await discussionStart.find(database, { id, observerId, reasons });
  if (start === undefined || start.isMuted) return new Map();
  const replies = new Map<string, string[]>([[id, []]]);
  const excluded = start.isExcluded ? [id] : [];
  const expected = Math.min(maxPosts, 1 + start.children);
  let after = id;
  // The statement reads comments elsewhere in the thread, too.
  while (replies.size < expected) {
    const part = { rootId: start.rootId, observerId, reasons, after, limit: maxPosts };
    const read = () => discussionPart.query(database, part);
    const rows = await (expected > maxShortRead || after !== id ? longReads.run(read) : read());
    for (const row of rows) {
      const siblings = replies.get(row.parentId);
      if (siblings === undefined || row.isMuted) continue;
      siblings.push(`${row.author}/${row.permlink}`);
      replies.set(row.id, []);
      if (row.isExcluded) excluded.push(row.id);
      if (replies.size === expected) break;
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < maxPosts) break;
  }
  for (const each of excluded) replies.delete(each);
  return replies;
}
