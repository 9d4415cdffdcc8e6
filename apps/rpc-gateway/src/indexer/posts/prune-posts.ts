import { type Queryable } from '@waggle/service';
import { youthMs } from './vote';

/** Posts that are paid and so old that no vote on them is told to anybody. */
export async function pruneYoungPosts(client: Queryable, headTime: Date): Promise<void> {
  await client.query({
    name: 'young-post-prune',
    text: 'DELETE FROM young_post WHERE created < $1 AND is_paid',
    values: [new Date(headTime.getTime() - youthMs)],
  });
}

/** Texts of posts whose mentions no longer count. */
export async function pruneTexts(client: Queryable, from: Date): Promise<void> {
  await client.query({ name: 'post-text-prune', text: 'DELETE FROM post_text WHERE written < $1', values: [from] });
}
