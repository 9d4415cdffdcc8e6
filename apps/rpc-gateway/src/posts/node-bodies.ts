import { type HiveApi, HiveRpcError, hiveTime } from '@waggle/chain';
import { responsesTooLong, upstreamError } from '@waggle/contracts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** A version of a post: every edit has the next revision. */
export interface PostVersion {
  readonly id: string;
  readonly author: string;
  readonly permlink: string;
  readonly updated: Date;
  readonly revision: number;
}

const maxCachedLength = 32 * 1024 * 1024;
/** Maximum number of bodies in a response that are read one by one, because nodes do not list their posts. */
const maxSingleReads = 100;
const singleReadsAtOnce = 5;
/** Maximum time for the bodies of a response that come from nodes, in milliseconds. */
const maxNodeMs = 10_000;

const findCommentsMethod = 'database_api.find_comments';
const getContentMethod = 'condenser_api.get_content';

const content = z.object({ author: z.string(), permlink: z.string(), body: z.string(), last_update: hiveTime });
type Content = z.infer<typeof content>;
const foundComments = z.object({ comments: z.array(content) });

/** What the bodies of one response may still cost the nodes. */
export class NodeReadBudget {
  private singleReads = maxSingleReads;
  /** Undefined before the first call. */
  private endMs: number | undefined;

  begin(): void {
    this.endMs ??= performance.now() + maxNodeMs;
  }

  /** @throws RpcError if more posts have to be read one by one than allowed */
  takeSingleReads(count: number): void {
    this.singleReads -= count;
    if (this.singleReads < 0) throw responsesTooLong();
  }

  /** @throws RpcError if the time is over */
  requireTime(): void {
    if (this.endMs !== undefined && performance.now() > this.endMs) throw upstreamError('timeout');
  }
}

/** Reads bodies of posts from nodes, and caches them. */
export class NodeBodies {
  /** Bodies by the id and the revision of the post. */
  private readonly cache = new LRUCache<string, string>({
    maxSize: maxCachedLength,
    sizeCalculation: (body) => body.length + 1,
  });

  constructor(private readonly hive: HiveApi) {}

  /**
   * @returns the bodies of all posts by id
   * @throws RpcError if the budget is exhausted, or the nodes do not have a post
   */
  async find(posts: readonly PostVersion[], budget: NodeReadBudget): Promise<ReadonlyMap<string, string>> {
    const bodies = new Map<string, string>();
    const missing: PostVersion[] = [];
    for (const post of posts) {
      const cached = this.cache.get(keyOf(post));
      if (cached === undefined) missing.push(post);
      else bodies.set(post.id, cached);
    }
    if (missing.length === 0) return bodies;
    const contents = await this.readContents(missing, budget);
    for (const post of missing) {
      const found = contents.get(linkOf(post));
      if (found === undefined) throw upstreamError('bad-response');
      bodies.set(post.id, found.body);
      // The node may know a later edit.
      if (found.last_update.getTime() === post.updated.getTime()) this.cache.set(keyOf(post), found.body);
    }
    return bodies;
  }

  /** Reads several posts with one call, and one by one those that it does not list. @returns them by link */
  private async readContents(
    posts: readonly PostVersion[],
    budget: NodeReadBudget,
  ): Promise<ReadonlyMap<string, Content>> {
    budget.begin();
    const contents = new Map(await this.findComments(posts));
    const unlisted = posts.filter((post) => !contents.has(linkOf(post)));
    budget.takeSingleReads(unlisted.length);
    for (let first = 0; first < unlisted.length; first += singleReadsAtOnce) {
      budget.requireTime();
      const several = unlisted.slice(first, first + singleReadsAtOnce);
      for (const found of await Promise.all(several.map((post) => this.getContent(post))))
        contents.set(linkOf(found), found);
    }
    budget.requireTime();
    return contents;
  }

  /** Returns the posts that a node lists: not all nodes list muted ones. */
  private async findComments(posts: readonly PostVersion[]): Promise<ReadonlyMap<string, Content>> {
    try {
      const links = posts.map(({ author, permlink }) => [author, permlink]);
      const { comments } = await this.hive.call(findCommentsMethod, { comments: links }, foundComments);
      return new Map(comments.map((comment) => [linkOf(comment), comment]));
    } catch (error) {
      if (error instanceof HiveRpcError) return new Map();
      throw error;
    }
  }

  private async getContent({ author, permlink }: PostVersion): Promise<Content> {
    try {
      return await this.hive.call(getContentMethod, [author, permlink], content);
    } catch (error) {
      if (error instanceof HiveRpcError) throw upstreamError('bad-response');
      throw error;
    }
  }
}

function keyOf({ id, revision }: PostVersion): string {
  return `${id}/${revision}`;
}

function linkOf({ author, permlink }: Pick<PostVersion, 'author' | 'permlink'>): string {
  return `${author}/${permlink}`;
}
