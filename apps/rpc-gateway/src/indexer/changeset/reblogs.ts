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

/** The reblogs of a batch. */
export class Reblogs {
  private readonly rows = new Rows<Readonly<ReblogEntity>>(table);
  private readonly deletedPosts = new Set<bigint>();

  async load(client: Queryable, postActions: readonly PostAction[]): Promise<void> {
    this.rows.add(await findPostActions(table, client, postActions));
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

  /** Removes the reblogs of a deleted post. */
  removeAll(postId: bigint): void {
    this.deletedPosts.add(postId);
    for (const row of this.rows.values()) if (row.postId === postId) this.rows.remove(row);
  }

  async write(client: Queryable): Promise<void> {
    if (this.deletedPosts.size > 0) {
      await deleteReblogsOfPosts.execute(client, { postIds: [...this.deletedPosts] });
    }
    await this.rows.write(client);
  }
}

/** A reblog or a flag. */
export interface PostAction {
  readonly postId: bigint;
  readonly accountId: number;
}

/** Finds the rows of reblogs or flags that exist. */
export async function findPostActions<Row extends PostAction>(
  from: Table<Row>,
  client: Queryable,
  postActions: readonly PostAction[],
): Promise<Row[]> {
  if (postActions.length === 0) return [];
  return from.find(
    client,
    'pairs',
    'JOIN unnest($1::bigint[], $2::int[]) p (post_id, account_id) ON p.post_id = t.post_id AND p.account_id = t.account_id',
    [postActions.map(({ postId }) => postId), postActions.map(({ accountId }) => accountId)],
  );
}
