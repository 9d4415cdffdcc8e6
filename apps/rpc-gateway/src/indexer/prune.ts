import { type Queryable, Statement } from '@waggle/service';
import { firstNotificationId } from '../notifications/notification-id';
import { youngPostMs } from './posts/vote';
import { mentionTable } from '../notifications/mention.entity';
import { notificationTable } from '../notifications/notification.entity';
import { postTextTable } from '../posts/post-text.entity';
import { youngPostTable } from '../posts/young-post.entity';

const pruneNotifications = new Statement({
  name: 'notification-prune',
  text: 'DELETE FROM notification WHERE id < $1',
  parameters: { firstId: notificationTable.id },
  columns: {},
});

const pruneMentions = new Statement({
  name: 'mention-prune',
  text: 'DELETE FROM mention WHERE notification_id < $1',
  parameters: { firstId: mentionTable.notificationId },
  columns: {},
});

const pruneTexts = new Statement({
  name: 'post-text-prune',
  text: 'DELETE FROM post_text WHERE written < $1',
  parameters: { before: postTextTable.written },
  columns: {},
});

const pruneYoungPosts = new Statement({
  name: 'young-post-prune',
  text: 'DELETE FROM young_post WHERE created < $1 AND is_paid',
  parameters: { before: youngPostTable.created },
  columns: {},
});

/**
 * Deletes notifications, mentions and post texts that are older than `retainedFrom`, and the vote data of paid posts
 * whose votes no longer create notifications.
 */
export async function prune(client: Queryable, retainedFrom: Date, headTime: Date): Promise<void> {
  const firstId = firstNotificationId(retainedFrom);
  await pruneNotifications.execute(client, { firstId });
  await pruneMentions.execute(client, { firstId });
  await pruneTexts.execute(client, { before: retainedFrom });
  await pruneYoungPosts.execute(client, { before: new Date(headTime.getTime() - youngPostMs) });
}
