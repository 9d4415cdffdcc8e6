import { sql, Statement } from '@waggle/service';
import { numberOfType } from './notification-types';
import { accountTable } from '../accounts/account.entity';
import { postTable } from '../posts/post.entity';
import { notificationTable } from './notification.entity';

/** Author and permlink name the post; `mentioned` is the number of accounts that it mentions. */
export const notificationColumns = {
  id: sql.nullable(notificationTable.id),
  score: sql.nullable(notificationTable.score),
  payload: notificationTable.payload,
  source: sql.nullable(accountTable.name),
  recipient: sql.nullable(accountTable.name),
  community: sql.nullable(accountTable.name),
  author: sql.nullable(accountTable.name),
  permlink: sql.nullable(postTable.permlink),
  mentioned: sql.nullable(sql.int4),
};

/** SQL: the notifications with the names that their texts need. @param from names the notifications `n` */
export const selectNotifications = (from: string) => `
  SELECT n.id, n.score, n.payload, s.name AS source, r.name AS recipient, c.name AS community, pa.name AS author, p.permlink,
    CASE WHEN (n.id >> 22) & 63 = ${numberOfType('mention')} THEN (
      SELECT count(*)::int FROM mention m WHERE m.post_id = n.post_id
    ) END AS mentioned
  FROM ${from}
  LEFT JOIN account r ON r.id = n.recipient_id
  LEFT JOIN account s ON s.id = n.source_id
  LEFT JOIN account c ON c.id = n.community_id
  LEFT JOIN post p ON p.id = n.post_id
  LEFT JOIN account pa ON pa.id = p.author_id`;

/**
 * `$1` account; `$2` min. score; `$3` ids are below; `$4` limit. Rows: its notifications, newest first; a row of nulls
 * if there are none, no row if the account is not indexed.
 */
export const accountNotifications = new Statement({
  name: 'account-notifications',
  text: `${selectNotifications(`account a LEFT JOIN LATERAL (
      SELECT * FROM notification WHERE recipient_id = a.id AND id < $3 AND score >= $2 ORDER BY id DESC LIMIT $4
    ) n ON true`)}
    WHERE a.name = $1 ORDER BY n.id DESC`,
  parameters: {
    account: accountTable.name,
    minScore: notificationTable.score,
    before: notificationTable.id,
    limit: sql.int8,
  },
  columns: notificationColumns,
});

/** `$1` id of a post; `$2` min. score; `$3` ids are below; `$4` limit. Rows: notifications about it, newest first. */
export const postNotifications = new Statement({
  name: 'post-notifications',
  text: `${selectNotifications(`(
      SELECT * FROM notification WHERE subject_id = $1 AND id < $3 AND score >= $2 ORDER BY id DESC LIMIT $4
    ) n`)}
    ORDER BY n.id DESC`,
  parameters: {
    postId: sql.notNull(notificationTable.subjectId),
    minScore: notificationTable.score,
    before: notificationTable.id,
    limit: sql.int8,
  },
  columns: notificationColumns,
});

/** `$1` name of an account. At most one row: its id, and how far its owner has read, as a time. */
export const accountLastRead = new Statement({
  name: 'last-read',
  text: 'SELECT id, last_read AS "lastRead" FROM account WHERE name = $1',
  parameters: { name: accountTable.name },
  columns: { id: accountTable.id, lastRead: accountTable.lastRead },
});

/** `$1` id of an account; `$2` minimum score; `$3` lowest id. One row: how many notifications. */
export const unreadCount = new Statement({
  name: 'unread-notifications',
  text: `SELECT count(*)::int AS unread FROM notification WHERE recipient_id = $1 AND score >= $2 AND id >= $3`,
  parameters: {
    recipientId: notificationTable.recipientId,
    minScore: notificationTable.score,
    firstId: notificationTable.id,
  },
  columns: { unread: sql.notNull(sql.int4) },
});
