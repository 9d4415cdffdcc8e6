import { type Queryable, sql, Statement } from '@waggle/service';
import { ReblogEntity } from '../../reblogs/reblog.entity';
import { Rows } from './rows';
import { Table } from './table';

const table = new Table(ReblogEntity);
const findReblogs = selectPostActions(table);

const deleteReblogsOfPosts = new Statement({
  name: 'reblog-of-deleted',
  text: 'DELETE FROM reblog WHERE post_id = ANY ($1::bigint[])',
  parameters: { postIds: sql.arrayOf(sql.int8) },
  columns: {},
});

/** The reblogs of a batch. */
export class Reblogs {
  private readonly rows = new Rows<Readonly<ReblogEntity>>(table, ({ postId }) => postId);
  private readonly deletedPosts = new Set<bigint>();

  async load(client: Queryable, actions: PostActions): Promise<void> {
    if (actions.postIds.length > 0) this.rows.add(await findReblogs(client, actions));
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
    for (const row of this.rows.ofGroup(postId)) this.rows.remove(row);
  }

  async write(client: Queryable): Promise<void> {
    if (this.deletedPosts.size > 0) {
      await deleteReblogsOfPosts.execute(client, { postIds: [...this.deletedPosts] });
    }
    await this.rows.write(client);
  }
}

/** Accounts that reblog or flag posts, or that posts mention, as parallel arrays for `unnest`. */
export interface PostActions {
  readonly postIds: readonly bigint[];
  readonly accountIds: readonly number[];
}

/** Declares the statement that finds the reblogs, flags or mentions that exist. */
export function selectPostActions<Row extends object>(from: Table<Row>) {
  return from.select(
    'pairs',
    'JOIN unnest($1::bigint[], $2::int[]) p (post_id, account_id) ON p.post_id = t.post_id AND p.account_id = t.account_id',
    { postIds: sql.arrayOf(sql.int8), accountIds: sql.arrayOf(sql.int4) },
  );
}
