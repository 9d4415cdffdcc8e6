import { setTimeout } from 'node:timers/promises';
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

/** Posts in the first query or call, and the most in later ones. */
const [firstPosts, maxPosts] = [20, 100];
/** Length of the bodies that a later query is to return, as JSON: the process handles nothing else while it counts. */
const lengthPerQuery = 4 * 1024 * 1024;
/** Ratio of a pause to the query before it: long bodies take at most a quarter of the time of process and database. */
const pauseRatio = 3;
/** The response of a node may take longer, but no work. */
const maxPauseMs = 200;
/** Maximum length of all bodies in a response, as JSON in UTF-16 code units. */
const maxLength = 32 * 1024 * 1024;
const maxCachedLength = 32 * 1024 * 1024;
/** Maximum number of bodies in a response that are read one by one, because nodes do not list their posts. */
const maxSingleReads = 100;
const singleReadsAtOnce = 5;
/** Maximum time for the bodies of a response that come from nodes, in milliseconds. */
const maxNodeMs = 10_000;

export const findCommentsMethod = 'database_api.find_comments';
export const getContentMethod = 'condenser_api.get_content';

/** What a response may still read from nodes. */
interface NodeBudget {
  singleReads: number;
  /** Infinity before the first call. */
  endMs: number;
}

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
   * @throws RpcError if they are too long together, too many are unlisted, or nodes do not have one in time
   */
  async find(posts: readonly PostVersion[]): Promise<ReadonlyMap<string, string>> {
    const bodies = new Map<string, string>();
    let length = 0;
    const budget = { singleReads: maxSingleReads, endMs: Infinity };
    for (let first = 0, end = firstPosts; first < posts.length;) {
      const part = posts.slice(first, end);
      const startedMs = performance.now();
      const found = await this.findPart(part, budget);
      for (const [id, body] of found) bodies.set(id, body);
      for (const { id } of part) length += jsonLength(found.get(id) ?? '');
      if (length > maxLength) throw responsesTooLong();
      if (length > lengthPerQuery) await setTimeout(Math.min(maxPauseMs, pauseRatio * (performance.now() - startedMs)));
      first = end;
      end += Math.max(1, Math.min(maxPosts, Math.floor((lengthPerQuery * end) / length)));
    }
    return bodies;
  }

  private async findPart(posts: readonly PostVersion[], budget: NodeBudget): Promise<ReadonlyMap<string, string>> {
    const rows = await postBodies.query(this.database, { ids: posts.map(({ id }) => id) });
    const bodies = new Map(rows.map(({ id, body }) => [id, body]));
    const missing: PostVersion[] = [];
    for (const post of posts.filter(({ id }) => !bodies.has(id))) {
      const cached = this.cache.get(keyOf(post));
      if (cached === undefined) missing.push(post);
      else bodies.set(post.id, cached);
    }
    if (missing.length === 0) return bodies;
    if (budget.endMs === Infinity) budget.endMs = performance.now() + maxNodeMs;
    const contents = new Map(await this.findComments(missing));
    const unlisted = missing.filter((post) => !contents.has(linkOf(post)));
    budget.singleReads -= unlisted.length;
    if (budget.singleReads < 0) throw responsesTooLong();
    for (let first = 0; first < unlisted.length; first += singleReadsAtOnce) {
      if (performance.now() > budget.endMs) throw upstreamError('timeout');
      const several = unlisted.slice(first, first + singleReadsAtOnce);
      for (const found of await Promise.all(several.map((post) => this.getContent(post))))
        contents.set(linkOf(found), found);
    }
    if (performance.now() > budget.endMs) throw upstreamError('timeout');
    for (const post of missing) {
      const found = contents.get(linkOf(post));
      if (found === undefined) throw upstreamError('bad-response');
      bodies.set(post.id, found.body);
      // The node may know a later edit.
      if (found.last_update.getTime() === post.updated.getTime()) this.cache.set(keyOf(post), found.body);
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

/** Returns the length of a text in JSON. Counts, because `JSON.stringify` takes five times as long. */
function jsonLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Such as `\u0001`; a few, such as `\n`, are shorter.
    if (code < 0x20) length += code >= 0x08 && code <= 0x0d && code !== 0x0b ? 1 : 5;
    // Quotation mark and backslash.
    else if (code === 0x22 || code === 0x5c) length += 1;
  }
  return length;
}

function keyOf({ id, revision }: PostVersion): string {
  return `${id}/${revision}`;
}

function linkOf({ author, permlink }: Pick<PostVersion, 'author' | 'permlink'>): string {
  return `${author}/${permlink}`;
}
