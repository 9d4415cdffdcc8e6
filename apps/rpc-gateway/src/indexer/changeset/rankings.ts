import { type Queryable, sql, Statement } from '@waggle/service';
import { payoutTable } from '../../posts/payout.entity';
import { rankOf } from '../../posts/rank-sql';

const columns = ['payout', 'promoted', 'trend', 'hot'] as const;

/** SQL: inserts unpaid posts with the values that rankings order them by. Conditions and a conflict rule may follow. */
const insertUnpaid = `
  INSERT INTO ranked_post (post_id, author_id, category, community_id, created, is_comment, ${columns.join(', ')})
  SELECT y.post_id, p.author_id, c.category, p.community_id, p.created, p.depth > 0,
    ${columns.map((column) => rankOf[column]).join(', ')}
  FROM payout y JOIN post p ON p.id = y.post_id LEFT JOIN post_content c ON c.post_id = p.root_id WHERE NOT y.is_paid`;

const postIds = sql.arrayOf(payoutTable.postId);

/** `$1` posts. They were paid. */
const deletePaid = new Statement({
  name: 'ranked-post-delete',
  text: 'DELETE FROM ranked_post WHERE post_id = ANY ($1::bigint[])',
  parameters: { postIds },
  columns: {},
});

/** `$1` posts. Inserts those that are unpaid, and updates only rows whose values change. */
const upsertUnpaid = new Statement({
  name: 'ranked-post-upsert',
  text: `
    ${insertUnpaid} AND y.post_id = ANY ($1::bigint[])
    ON CONFLICT (post_id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE (${columns.map((column) => `ranked_post.${column}`).join(', ')})
      IS DISTINCT FROM (${columns.map((column) => `excluded.${column}`).join(', ')})`,
  parameters: { postIds },
  columns: {},
});

/** `$1` deleted posts. Replies to a deleted post have no category. On Hive, a post with replies cannot be deleted. */
const clearCategories = new Statement({
  name: 'ranked-post-of-deleted-root',
  text: `
    UPDATE ranked_post r SET category = NULL FROM post p
    WHERE p.id = r.post_id AND p.root_id = ANY ($1::bigint[]) AND p.depth > 0 AND NOT p.is_deleted AND r.category IS NOT NULL`,
  parameters: { postIds },
  columns: {},
});

/** Turns off the timeout in this transaction, for a scan of all payouts: it takes minutes on a large index. */
const allowLongStatements = new Statement({
  name: 'ranked-post-timeout',
  text: `SELECT set_config('statement_timeout', '0', true)`,
  parameters: {},
  columns: { set_config: sql.nullable(sql.text) },
});

/** Inserts all unpaid posts that are not ranked yet. */
const insertAllUnpaid = new Statement({
  name: 'ranked-post-fill',
  text: `${insertUnpaid} ON CONFLICT (post_id) DO NOTHING`,
  parameters: {},
  columns: {},
});

/** Collects the statistics that autovacuum would collect a minute later, so that no query is planned without them. */
const analyze = new Statement({
  name: 'ranked-post-analyze',
  text: 'ANALYZE ranked_post',
  parameters: {},
  columns: {},
});

/** Updates the ranked posts after payouts changed, and posts were deleted. */
export async function updateRankings(
  client: Queryable,
  {
    paid,
    unpaid,
    deleted,
  }: { readonly paid: readonly bigint[]; readonly unpaid: readonly bigint[]; readonly deleted: readonly bigint[] },
): Promise<void> {
  if (paid.length > 0) await deletePaid.execute(client, { postIds: [...paid] });
  if (unpaid.length > 0) await upsertUnpaid.execute(client, { postIds: [...unpaid] });
  if (deleted.length > 0) await clearCategories.execute(client, { postIds: [...deleted] });
}

/** Ranks all unpaid posts. */
export async function fillRankings(client: Queryable): Promise<void> {
  await allowLongStatements.find(client, {});
  await insertAllUnpaid.execute(client, {});
  await analyze.execute(client, {});
}
