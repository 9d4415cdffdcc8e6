import { sql, Statement } from '@waggle/service';
import { numberOfType } from './notification-types';

/** Author and permlink name the post; `mentioned` is the number of accounts that it mentions. */
export const notificationColumns = {
  id: sql.nullable(sql.int8),
  score: sql.nullable(sql.int2),
  payload: sql.nullable(sql.text),
  source: sql.nullable(sql.text),
  recipient: sql.nullable(sql.text),
  community: sql.nullable(sql.text),
  author: sql.nullable(sql.text),
  permlink: sql.nullable(sql.text),
  mentioned: sql.nullable(sql.int4),
};

/** @param from a clause with the alias `n` for the notifications */
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
 * `$1` account; `$2` min. score; `$3` ids are below; `$4` limit. A row of nulls if there are none; no row if the
 * account is not indexed.
 */
export const accountNotifications = new Statement({
  name: 'account-notifications',
  text: `${selectNotifications(`account a LEFT JOIN LATERAL (
      SELECT * FROM notification WHERE recipient_id = a.id AND id < $3 AND score >= $2 ORDER BY id DESC LIMIT $4
    ) n ON true`)}
    WHERE a.name = $1 ORDER BY n.id DESC`,
  parameters: { account: sql.text, minScore: sql.int2, before: sql.int8, limit: sql.int8 },
  columns: notificationColumns,
});

/** `$1` id of a post; the rest as above. */
export const postNotifications = new Statement({
  name: 'post-notifications',
  text: `${selectNotifications(`(
      SELECT * FROM notification WHERE subject_id = $1 AND id < $3 AND score >= $2 ORDER BY id DESC LIMIT $4
    ) n`)}
    ORDER BY n.id DESC`,
  parameters: { postId: sql.int8, minScore: sql.int2, before: sql.int8, limit: sql.int8 },
  columns: notificationColumns,
});

/** `$1` name of an account. At most one row: its id, and how far its owner has read, as a time. */
export const accountLastRead = new Statement({
  name: 'last-read',
  text: 'SELECT id, last_read AS "lastRead" FROM account WHERE name = $1',
  parameters: { name: sql.text },
  columns: { id: sql.int4, lastRead: sql.timestamptz },
});

/** `$1` id of an account; `$2` minimum score; `$3` lowest id. One row. */
export const unreadCount = new Statement({
  name: 'unread-notifications',
  text: `SELECT count(*)::int AS unread FROM notification WHERE recipient_id = $1 AND score >= $2 AND id >= $3`,
  parameters: { recipientId: sql.int4, minScore: sql.int2, firstId: sql.int8 },
  columns: { unread: sql.notNull(sql.int4) },
});
