import { type Queryable, sql, Statement } from '@waggle/service';
import { payoutTable } from '../../posts/payout.entity';
import { rankOf } from '../../posts/rank-sql';

const columns = ['payout', 'promoted', 'trend', 'hot'] as const;

const selectUnpaid = `
  INSERT INTO ranked_post (post_id, author_id, category, community_id, created, is_comment, ${columns.join(', ')})
  SELECT y.post_id, p.author_id, c.category, p.community_id, p.created, p.depth > 0,
    ${columns.map((column) => rankOf[column]).join(', ')}
  FROM payout y JOIN post p ON p.id = y.post_id LEFT JOIN post_content c ON c.post_id = p.root_id WHERE NOT y.is_paid`;

const postIds = sql.arrayOf(payoutTable.postId);

const deletePaid = new Statement({
  name: 'ranked-post-delete',
  text: 'DELETE FROM ranked_post WHERE post_id = ANY ($1::bigint[])',
  parameters: { postIds },
  columns: {},
});

const upsertUnpaid = new Statement({
  name: 'ranked-post-upsert',
  text: `
    ${selectUnpaid} AND y.post_id = ANY ($1::bigint[])
    ON CONFLICT (post_id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE (${columns.map((column) => `ranked_post.${column}`).join(', ')})
      IS DISTINCT FROM (${columns.map((column) => `excluded.${column}`).join(', ')})`,
  parameters: { postIds },
  columns: {},
});

/** Replies to a deleted post have no category. On Hive, a post with replies cannot be deleted. */
const clearCategories = new Statement({
  name: 'ranked-post-of-deleted-root',
  text: `
    UPDATE ranked_post r SET category = NULL FROM post p
    WHERE p.id = r.post_id AND p.root_id = ANY ($1::bigint[]) AND p.depth > 0 AND NOT p.is_deleted AND r.category IS NOT NULL`,
  parameters: { postIds },
  columns: {},
});

/** For the scan of all payouts, which takes minutes on a large index. */
const allowLongStatements = new Statement({
  name: 'ranked-post-timeout',
  text: `SELECT set_config('statement_timeout', '0', true)`,
  parameters: {},
  columns: { set_config: sql.nullable(sql.text) },
});

const insertAllUnpaid = new Statement({
  name: 'ranked-post-fill',
  text: `${selectUnpaid} ON CONFLICT (post_id) DO NOTHING`,
  parameters: {},
  columns: {},
});

/** What autovacuum would collect a minute later. */
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
