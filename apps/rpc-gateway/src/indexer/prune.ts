import { type Queryable, Statement } from '@waggle/service';
import { firstNotificationId } from '../notifications/notification-id';
import { mentionTable } from '../notifications/mention.entity';
import { notificationTable } from '../notifications/notification.entity';
import { postTextTable } from '../posts/post-text.entity';

/**
 * Deletes the oldest notifications. Fewer expire in a transaction, but with a shorter `NOTIFICATION_DAYS` nearly all
 * do: the indexer then deletes them over many transactions, each within the statement timeout.
 */
const pruneNotifications = new Statement({
  name: 'notification-prune',
  text: `
    DELETE FROM notification
    WHERE id < least($1, (SELECT n.id FROM notification n ORDER BY n.id OFFSET 50000 LIMIT 1))`,
  parameters: { firstId: notificationTable.id },
  columns: {},
});

/** Deletes the oldest mentions. Fewer of them expire in a transaction, too. */
const pruneMentions = new Statement({
  name: 'mention-prune',
  text: `
    DELETE FROM mention
    WHERE notification_id < least($1, (SELECT m.notification_id FROM mention m ORDER BY m.notification_id OFFSET 50000 LIMIT 1))`,
  parameters: { firstId: mentionTable.notificationId },
  columns: {},
});

/** Deletes the oldest bodies. Far fewer expire in a transaction. */
const pruneTexts = new Statement({
  name: 'post-text-prune',
  text: `
    DELETE FROM post_text
    WHERE post_id = ANY (ARRAY(SELECT post_id FROM post_text WHERE written < $1 ORDER BY written LIMIT 20000))`,
  parameters: { before: postTextTable.written },
  columns: {},
});

/**
 * Deletes what has expired: at most 50,000 notifications, 50,000 mentions and 20,000 bodies, the oldest first.
 *
 * @param bodiesRetainedFrom null if bodies never expire
 */
export async function prune(
  client: Queryable,
  { retainedFrom, bodiesRetainedFrom }: { readonly retainedFrom: Date; readonly bodiesRetainedFrom: Date | null },
): Promise<void> {
  const firstId = firstNotificationId(retainedFrom);
  await pruneNotifications.execute(client, { firstId });
  await pruneMentions.execute(client, { firstId });
  if (bodiesRetainedFrom !== null) await pruneTexts.execute(client, { before: bodiesRetainedFrom });
}
