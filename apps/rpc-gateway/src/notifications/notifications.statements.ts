import { type NamedStatement } from '../named-statement';
import { numberOfType } from './notification-types';

/** Rows: id, score, payload, source, recipient, community, author and permlink of the post, and how many it mentions. */
const told = (from: string) => `
  SELECT n.id, n.score, n.payload, s.name, r.name, c.name, pa.name, p.permlink,
    CASE WHEN (n.id >> 22) & 63 = ${numberOfType('mention')} THEN (
      SELECT count(*)::int FROM mention m WHERE m.post_id = n.post_id
    ) END
  FROM ${from}
  LEFT JOIN account r ON r.id = n.recipient_id
  LEFT JOIN account s ON s.id = n.source_id
  LEFT JOIN account c ON c.id = n.community_id
  LEFT JOIN post p ON p.id = n.post_id
  LEFT JOIN account pa ON pa.id = p.author_id`;

/** `$1` account; `$2` least score; `$3` ids are below; `$4` how many. One row of nulls where there are none, no row where the account is not met. */
export const accountNotifications: NamedStatement = {
  name: 'account-notifications',
  text: `${told(`account a LEFT JOIN LATERAL (
      SELECT * FROM notification WHERE recipient_id = a.id AND id < $3 AND score >= $2 ORDER BY id DESC LIMIT $4
    ) n ON true`)}
    WHERE a.name = $1 ORDER BY n.id DESC`,
};

/** `$1` id of a post; the rest as above. */
export const postNotifications: NamedStatement = {
  name: 'post-notifications',
  text: `${told(`(
      SELECT * FROM notification WHERE subject_id = $1 AND id < $3 AND score >= $2 ORDER BY id DESC LIMIT $4
    ) n`)}
    ORDER BY n.id DESC`,
};

/** `$1` account. Rows: id, and up to when it has read. */
export const lastRead: NamedStatement = {
  name: 'last-read',
  text: 'SELECT id, last_read AS "lastRead" FROM account WHERE name = $1',
};

/** `$1` id of an account; `$2` least score; `$3` the first id that counts. */
export const unreadNotifications: NamedStatement = {
  name: 'unread-notifications',
  text: `SELECT count(*)::int AS unread FROM notification WHERE recipient_id = $1 AND score >= $2 AND id >= $3`,
};
