import { z } from 'zod';
import { firstNotificationId } from '../../notifications/notification-id';
import { lastRead, unreadNotifications as statement } from '../../notifications/notifications.statements';
import { method } from '../declaration/declaration';
import { account, minScore } from '../declaration/parameters';

/** Notifications have the time of the previous block, so one that was created after the account last read may look older. */
const blockIntervalMs = 3_000;

export const unreadNotifications = method({
  name: 'bridge.unread_notifications',
  summary: 'The number of unread notifications of an account',
  required: 1,
  parameters: { account: account('account name'), min_score: minScore },
  result: z.strictObject({ lastread: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/), unread: z.int().min(0) }),
  example: { params: { account: 'alice' }, result: { lastread: '2025-01-15 12:30:45', unread: 3 } },
  needs: ['live-head', 'notifications'],
  handle: async ({ account: name, min_score: score }, { database, accounts }) => {
    const reader = await lastRead.find(database, { name });
    const { id, lastRead: read } = reader ?? { id: await accounts.getUnindexed(name), lastRead: new Date(0) };
    // One second more, because the bound is inclusive.
    const firstUnread = firstNotificationId(new Date(read.getTime() - blockIntervalMs + 1_000));
    const counted = await statement.find(database, { recipientId: id, minScore: score, firstId: firstUnread });
    const lastread = read.toISOString().slice(0, 19).replace('T', ' ');
    return { lastread, unread: counted?.unread ?? 0 };
  },
});
