import { type Queryable, sql, Statement } from '@waggle/service';
import { youthMs } from './vote';

const deleteYoungPosts = new Statement({
  name: 'young-post-prune',
  text: 'DELETE FROM young_post WHERE created < $1 AND is_paid',
  parameters: { before: sql.timestamptz },
  columns: {},
});

const deleteTexts = new Statement({
  name: 'post-text-prune',
  text: 'DELETE FROM post_text WHERE written < $1',
  parameters: { before: sql.timestamptz },
  columns: {},
});

/** Posts that are paid and so old that no vote on them is told to anybody. */
export async function pruneYoungPosts(client: Queryable, headTime: Date): Promise<void> {
  await deleteYoungPosts.execute(client, { before: new Date(headTime.getTime() - youthMs) });
}

/** Texts of posts whose mentions no longer count. */
export async function pruneTexts(client: Queryable, from: Date): Promise<void> {
  await deleteTexts.execute(client, { before: from });
}
