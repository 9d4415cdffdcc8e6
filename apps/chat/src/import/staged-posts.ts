import { ConfigurationError, isPooled } from '@waggle/service';
import { type PoolClient } from 'pg';

/** A post that is checked, with accounts and emoji instead of the names in the export. */
export interface StagedPost {
  /** The number of its conversation in this import. */
  conversation: number;
  /** Its time in milliseconds since 1970. */
  at: number;
  /** Its position in the export. */
  n: number;
  id: string;
  reply_to: string | null;
  sender: string;
  content: string;
  edited: number | null;
  reactions: readonly { emoji: string; account: string; at: number }[];
  place: string;
}

const columns =
  'conversation int, at float8, n float8, id text, reply_to text, sender text, content text, edited float8, reactions jsonb, place text';

/**
 * The posts of an import in a temporary table: PostgreSQL sorts any number of them by conversation and time, on disk.
 */
export class StagedPosts {
  private constructor(private readonly client: PoolClient) {}

  /**
   * @param client keeps the table until it is closed
   * @throws ConfigurationError behind a pooler, which gives each transaction another connection
   */
  static async create(client: PoolClient): Promise<StagedPosts> {
    if (await isPooled(client))
      throw new ConfigurationError([
        'DATABASE_URL: an import needs a connection to PostgreSQL itself, not to a pooler',
      ]);
    await client.query(`
      CREATE TEMPORARY TABLE staged_post (${columns});
      CREATE TEMPORARY TABLE previewed_post (conversation int, id text, seq float8, PRIMARY KEY (conversation, id))`);
    return new StagedPosts(client);
  }

  async add(posts: readonly StagedPost[]): Promise<void> {
    await this.client.query(`INSERT INTO staged_post SELECT * FROM jsonb_to_recordset($1) AS post (${columns})`, [
      JSON.stringify(posts),
    ]);
  }

  /** Call it when all posts are added. */
  async sort(): Promise<void> {
    await this.client.query('CREATE INDEX ON staged_post (conversation, at, n); ANALYZE staged_post');
  }

  /** Yields the posts of a conversation in the order of their times, then of the export, in batches. */
  async *batchesOf(conversation: number, size: number): AsyncGenerator<readonly StagedPost[]> {
    let after: Pick<StagedPost, 'at' | 'n'> = { at: -Infinity, n: -1 };
    for (;;) {
      const { rows } = await this.client.query<StagedPost>(
        'SELECT * FROM staged_post WHERE conversation = $1 AND (at, n) > ($2, $3) ORDER BY at, n LIMIT $4',
        [conversation, after.at, after.n, size],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = last;
    }
  }

  /** Notes the sequence numbers that an import would give to posts. */
  async addPreviewed(conversation: number, posts: readonly { id: string; seq: number }[]): Promise<void> {
    await this.client.query('INSERT INTO previewed_post SELECT $1, * FROM unnest($2::text[], $3::float8[])', [
      conversation,
      posts.map(({ id }) => id),
      posts.map(({ seq }) => seq),
    ]);
  }

  /** Returns those posts that `addPreviewed` has noted. */
  async findPreviewed(conversation: number, ids: readonly string[]): Promise<{ id: string; seq: number }[]> {
    const { rows } = await this.client.query<{ id: string; seq: number }>(
      'SELECT id, seq FROM previewed_post WHERE conversation = $1 AND id = ANY ($2)',
      [conversation, ids],
    );
    return rows;
  }
}
