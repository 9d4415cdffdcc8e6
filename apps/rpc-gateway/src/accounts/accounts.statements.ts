import { sql, Statement } from '@waggle/service';
import { accountTable } from './account.entity';

/** `$1` names. Rows: id and name of those that are indexed. */
export const accountIds = new Statement({
  name: 'account-ids',
  text: 'SELECT id, name FROM account WHERE name = ANY ($1::text[])',
  parameters: { names: sql.arrayOf(accountTable.name) },
  columns: { id: accountTable.id, name: accountTable.name },
});

/**
 * `$1` names; `$2` id of an observer. Rows: reputation and follow counts of those that are indexed, and the lists of
 * the observer that each is on.
 */
export const accountStats = new Statement({
  name: 'account-stats',
  text: `
    SELECT a.name, a.reputation, a.followers, a.following, coalesce(f.lists, 0) AS lists
    FROM account a LEFT JOIN follow f ON f.follower_id = $2 AND f.following_id = a.id WHERE a.name = ANY ($1::text[])`,
  parameters: { names: sql.arrayOf(accountTable.name), observerId: accountTable.id },
  columns: {
    name: sql.notNull(accountTable.name),
    reputation: accountTable.reputation,
    followers: sql.notNull(accountTable.followers),
    following: sql.notNull(accountTable.following),
    lists: sql.notNull(sql.int4),
  },
});

/**
 * `$1` name; `$2` limit. Rows: accounts from that name on, by name. A reputation is null if the index lacks votes for
 * it.
 */
export const reputationsFrom = new Statement({
  name: 'reputations-from',
  text: 'SELECT name AS account, reputation FROM account WHERE name >= $1 ORDER BY name LIMIT $2',
  parameters: { from: accountTable.name, limit: sql.int8 },
  columns: { account: accountTable.name, reputation: accountTable.reputation },
});
