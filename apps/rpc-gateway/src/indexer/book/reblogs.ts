import { type Queryable, sql, Statement } from '@waggle/service';
import { ReblogEntity } from '../../reblogs/reblog.entity';
import { Rows } from './rows';
import { Table } from './table';

const table = new Table(ReblogEntity);

const deleteReblogsOfPosts = new Statement({
  name: 'reblog-of-deleted',
  text: 'DELETE FROM reblog WHERE post_id = ANY ($1::bigint[])',
  parameters: { postIds: sql.arrayOf(sql.int8) },
  columns: {},
});

/** Who has reblogged what, as far as a batch is about it. */
export class Reblogs {
  private readonly rows = new Rows<Readonly<ReblogEntity>>(table);
  /** Deleted posts. */
  private readonly gone = new Set<bigint>();

  async load(client: Queryable, marks: readonly Mark[]): Promise<void> {
    this.rows.add(await findMarks(table, client, marks));
  }

  has(postId: bigint, accountId: number): boolean {
    return this.rows.find(postId, accountId) !== undefined;
  }

  add(postId: bigint, accountId: number): void {
    this.rows.put({ postId, accountId });
  }

  remove(postId: bigint, accountId: number): void {
    this.rows.remove({ postId, accountId });
  }

  /** The post is deleted. */
  removeAll(postId: bigint): void {
    this.gone.add(postId);
    for (const row of this.rows.values()) if (row.postId === postId) this.rows.remove(row);
  }

  async write(client: Queryable): Promise<void> {
    if (this.gone.size > 0) {
      await deleteReblogsOfPosts.execute(client, { postIds: [...this.gone] });
    }
    await this.rows.write(client);
  }
}

/** What an account may have done with a post. */
export interface Mark {
  readonly postId: bigint;
  readonly accountId: number;
}

/** Those that are there. */
export async function findMarks<Row extends Mark>(
  marked: Table<Row>,
  client: Queryable,
  marks: readonly Mark[],
): Promise<Row[]> {
  if (marks.length === 0) return [];
  return marked.find(
    client,
    'pairs',
    'JOIN unnest($1::bigint[], $2::int[]) p (post_id, account_id) ON p.post_id = t.post_id AND p.account_id = t.account_id',
    [marks.map(({ postId }) => postId), marks.map(({ accountId }) => accountId)],
  );
}
