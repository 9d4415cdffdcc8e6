import { z } from 'zod';
import { firstNotificationId } from '../../notifications/notification-id';
import { lastRead, unreadNotifications as statement } from '../../notifications/notifications.statements';
import { method } from '../declaration';
import { account, minScore } from '../parameters';

/**
 * What a block tells bears the time of the block before: so what was told after one has read may bear a time that is
 * earlier by as much as a block takes.
 */
const blockIntervalMs = 3_000;

export const unreadNotifications = method({
  name: 'bridge.unread_notifications',
  summary: 'How many notifications an account has not read yet',
  required: 1,
  parameters: { account: account('account name'), min_score: minScore },
  result: z.strictObject({ lastread: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/), unread: z.int().min(0) }),
  example: { params: { account: 'alice' }, result: { lastread: '2025-01-15 12:30:45', unread: 3 } },
  answer: async ({ account: name, min_score: score }, { database, accounts }) => {
    const reader = await lastRead.find(database, { name });
    const { id, lastRead: read } = reader ?? { id: await accounts.getUnmet(name), lastRead: new Date(0) };
    const firstUnread = firstNotificationId(new Date(read.getTime() - blockIntervalMs + 1_000));
    const counted = await statement.find(database, { recipientId: id, minScore: score, firstId: firstUnread });
    const lastread = read.toISOString().slice(0, 19).replace('T', ' ');
    return { lastread, unread: counted?.unread ?? 0 };
  },
});
