import { type NamedStatement } from '../named-statement';

/** `$1` names. Rows: id and name of those that the index has met. */
export const accountIds: NamedStatement = {
  name: 'account-ids',
  text: 'SELECT id, name FROM account WHERE name = ANY ($1::text[])',
};

/**
 * `$1` names; `$2` id of an observer. Rows: reputation and numbers of followers of each that the index has met, and the lists of
 * the observer that it is on.
 */
export const accountStandings: NamedStatement = {
  name: 'account-standings',
  text: `
    SELECT a.name, a.reputation, a.followers, a.following, coalesce(f.lists, 0) AS lists
    FROM account a LEFT JOIN follow f ON f.follower_id = $2 AND f.following_id = a.id WHERE a.name = ANY ($1::text[])`,
};

/** `$1` name; `$2` how many. Rows: accounts from that name on, by name. Null: the index has not seen every vote for it. */
export const reputationsFrom: NamedStatement = {
  name: 'reputations-from',
  text: 'SELECT name AS account, reputation FROM account WHERE name >= $1 ORDER BY name LIMIT $2',
};
