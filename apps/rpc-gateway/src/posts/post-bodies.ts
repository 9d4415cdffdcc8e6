import { type HiveApi, HiveRpcError, hiveTime } from '@waggle/chain';
import { responsesTooLong, upstreamError } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { postBodies } from './posts.statements';

/** A version of a post: every edit has the next revision. */
interface PostVersion {
  readonly id: string;
  readonly author: string;
  readonly permlink: string;
  readonly updated: Date;
  readonly revision: number;
}

/** A body has at most 64 KiB, so one query or call for this many returns a few megabytes. */
const postsPerQuery = 100;
/** Maximum length of all bodies in a response, in UTF-16 code units. */
const maxLength = 32 * 1024 * 1024;
const maxCachedLength = 32 * 1024 * 1024;

export const findCommentsMethod = 'database_api.find_comments';
export const getContentMethod = 'condenser_api.get_content';

const content = z.object({ author: z.string(), permlink: z.string(), body: z.string(), last_update: hiveTime });
type Content = z.infer<typeof content>;
const foundComments = z.object({ comments: z.array(content) });

/** Reads the bodies of posts: from the index, or from a node if the index does not retain them (`POST_BODIES`). */
export class PostBodies {
  /** Bodies from nodes, by id and revision. */
  private readonly cache = new LRUCache<string, string>({
    maxSize: maxCachedLength,
    sizeCalculation: (body) => body.length + 1,
  });

  constructor(
    private readonly database: Queryable,
    private readonly hive: HiveApi,
  ) {}

  /**
   * @param posts may repeat a post: the response then repeats its body
   * @returns the bodies by id
   * @throws RpcError if they are too long together, or nodes do not have one
   */
  async find(posts: readonly PostVersion[]): Promise<ReadonlyMap<string, string>> {
    const bodies = new Map<string, string>();
    let length = 0;
    for (let first = 0; first < posts.length; first += postsPerQuery) {
      const part = posts.slice(first, first + postsPerQuery);
      const found = await this.findPart(part);
      for (const [id, body] of found) bodies.set(id, body);
      for (const { id } of part) length += found.get(id)?.length ?? 0;
      if (length > maxLength) throw responsesTooLong();
    }
    return bodies;
  }

  private async findPart(posts: readonly PostVersion[]): Promise<ReadonlyMap<string, string>> {
    const rows = await postBodies.query(this.database, { ids: posts.map(({ id }) => id) });
    const bodies = new Map(rows.map(({ id, body }) => [id, body]));
    const missing: PostVersion[] = [];
    for (const post of posts.filter(({ id }) => !bodies.has(id))) {
      const cached = this.cache.get(keyOf(post));
      if (cached === undefined) missing.push(post);
      else bodies.set(post.id, cached);
    }
    if (missing.length === 0) return bodies;
    const comments = await this.findComments(missing);
    const contents = await Promise.all(
      missing.map(async (post) => comments.get(linkOf(post)) ?? (await this.getContent(post))),
    );
    for (const [index, { body, last_update: updated }] of contents.entries()) {
      const post = missing[index];
      if (post === undefined) continue;
      bodies.set(post.id, body);
      // The node may know a later edit.
      if (updated.getTime() === post.updated.getTime()) this.cache.set(keyOf(post), body);
    }
    return bodies;
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
