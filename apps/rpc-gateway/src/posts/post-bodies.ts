import { setTimeout } from 'node:timers/promises';
import { type HiveApi } from '@waggle/chain';
import { responsesTooLong } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';
import { NodeBodies, NodeReadBudget, type PostVersion } from './node-bodies';
import { postBodies } from './posts.statements';

/** Number of posts in the first query, and the maximum in later ones. */
const [firstPosts, maxPosts] = [20, 100];
/** Length of the bodies that a later query is to return, as JSON: the process handles nothing else while it counts. */
const lengthPerQuery = 4 * 1024 * 1024;
/** Ratio of a pause to the query before it: long bodies take at most a quarter of the time of process and database. */
const pauseRatio = 3;
/** Limits the pause after bodies that come from a node: waiting for one takes time, but no work. */
const maxPauseMs = 200;
/** Maximum length of all bodies in a response, as JSON in UTF-16 code units. */
const maxLength = 32 * 1024 * 1024;

/** Reads the bodies of posts: from the index, or from a node if the index does not retain them (`POST_BODIES`). */
export class PostBodies {
  private readonly nodeBodies: NodeBodies;

  constructor(
    private readonly database: Queryable,
    hive: HiveApi,
  ) {
    this.nodeBodies = new NodeBodies(hive);
  }

  /**
   * Reads the bodies in several queries, each with as many posts as the length of the bodies before suggests.
   *
   * @param posts may repeat a post: the response then repeats its body
   * @returns the bodies by id
   * @throws RpcError if they are too long together, too many are unlisted, or nodes do not have one in time
   */
  async find(posts: readonly PostVersion[]): Promise<ReadonlyMap<string, string>> {
    const bodies = new Map<string, string>();
    let length = 0;
    const budget = new NodeReadBudget();
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

  private async findPart(posts: readonly PostVersion[], budget: NodeReadBudget): Promise<ReadonlyMap<string, string>> {
    const rows = await postBodies.query(this.database, { ids: posts.map(({ id }) => id) });
    const bodies = new Map(rows.map(({ id, body }) => [id, body]));
    const missing = posts.filter(({ id }) => !bodies.has(id));
    for (const [id, body] of await this.nodeBodies.find(missing, budget)) bodies.set(id, body);
    return bodies;
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
