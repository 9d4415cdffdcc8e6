import { type Queryable, sql, Statement } from '@waggle/service';
import { youngPostMs } from './vote';

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

/** Deletes the vote data of paid posts for which votes no longer create notifications. */
export async function pruneYoungPosts(client: Queryable, headTime: Date): Promise<void> {
  await deleteYoungPosts.execute(client, { before: new Date(headTime.getTime() - youngPostMs) });
}

/** Deletes texts whose mentions are no longer retained. */
export async function pruneTexts(client: Queryable, retainedFrom: Date): Promise<void> {
  await deleteTexts.execute(client, { before: retainedFrom });
}
