import { z } from 'zod';
import { blockIntervalMs } from '../../block-interval';
import { firstNotificationId } from '../../notifications/notification-id';
import { accountLastRead, unreadCount } from '../../notifications/notifications.statements';
import { method } from '../declaration/declaration';
import { account, minScore } from '../declaration/parameters';

export const unreadNotifications = method({
  name: 'bridge.unread_notifications',
  summary: 'The number of unread notifications of an account',
  required: 1,
  parameters: { account: account('account name'), min_score: minScore },
  result: z.strictObject({ lastread: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/), unread: z.int().min(0) }),
  example: { params: { account: 'alice' }, result: { lastread: '2025-01-15 12:30:45', unread: 3 } },
  needs: ['live-head', 'notifications'],
  handle: async ({ account: name, min_score: score }, { database, accounts }) => {
    const indexed = await accountLastRead.find(database, { name });
    const { id, lastRead } = indexed ?? { id: await accounts.requireOnChain(name), lastRead: new Date(0) };
    const counted = await unreadCount.find(database, {
      recipientId: id,
      minScore: score,
      firstId: firstUnreadId(lastRead),
    });
    const lastread = lastRead.toISOString().slice(0, 19).replace('T', ' ');
    // The statement always returns a row.
    return { lastread, unread: counted?.unread ?? 0 };
  },
});

/**
 * A notification is dated by the previous block, so one created just after `lastRead` has a time up to one block before
 * it. One second more, because the result is an inclusive bound and ids count whole seconds: a notification dated
 * exactly one block before counts as read.
 */
function firstUnreadId(lastRead: Date): bigint {
  return firstNotificationId(new Date(lastRead.getTime() - blockIntervalMs + 1_000));
}
