import { type NamedStatement, type PlannedStatement } from '../named-statement';
import { followLists } from './follow-lists';

/** `$1` follower; `$2` following. A row with the lists, where there are any. */
export const listsBetween: NamedStatement = {
  name: 'lists-between',
  text: 'SELECT lists FROM follow WHERE follower_id = $1 AND following_id = $2',
};

/** `$1` account; `$2` lists; `$3` names are above; `$4` how many. Rows: the names of those who have it on one of the lists. */
export const followerNames: PlannedStatement = {
  text: `
    SELECT a.name FROM follow f JOIN account a ON a.id = f.follower_id
    WHERE f.following_id = $1 AND f.lists & $2 > 0 AND a.name > $3 ORDER BY a.name LIMIT $4`,
};

/** The same of those whom it has on one of the lists. */
export const followingNames: PlannedStatement = {
  text: `
    SELECT a.name FROM follow f JOIN account a ON a.id = f.following_id
    WHERE f.follower_id = $1 AND f.lists & $2 > 0 AND a.name > $3 ORDER BY a.name LIMIT $4`,
};

/** `$1` account; `$2` lists. Rows: names, and what their profiles say of their own lists. */
export const listed: NamedStatement = {
  name: 'listed',
  text: `
    SELECT a.name, a.blacklist_description AS "blacklistDescription", a.muted_list_description AS "mutedListDescription"
    FROM follow f JOIN account a ON a.id = f.following_id
    WHERE f.follower_id = $1 AND f.lists & $2 > 0 ORDER BY a.name`,
};

/** `$1` account. A row where it follows any lists of others. */
export const followsAnyLists: NamedStatement = {
  name: 'follows-any-lists',
  text: `
    SELECT FROM follow
    WHERE follower_id = $1 AND lists & ${followLists.followsBlacklists | followLists.followsMuted} > 0 LIMIT 1`,
};

/** `$1` name. Rows: how many follow the account, and how many it follows. */
export const followCounts: NamedStatement = {
  name: 'follow-counts',
  text: 'SELECT followers, following FROM account WHERE name = $1',
};
