import { sql, Statement } from '@waggle/service';
import { followLists } from './follow-lists';
import { accountTable } from '../accounts/account.entity';
import { followTable } from './follow.entity';

/** `$1` follower; `$2` following. At most one row, with the lists. */
export const listsBetween = new Statement({
  name: 'lists-between',
  text: 'SELECT lists FROM follow WHERE follower_id = $1 AND following_id = $2',
  parameters: { followerId: followTable.followerId, followingId: followTable.followingId },
  columns: { lists: followTable.lists },
});

/**
 * `$1` account; `$2` lists; `$3` last name; `$4` limit. Rows: the names of accounts that have it on one of the lists.
 */
export const followerNames = new Statement({
  name: 'follower-names',
  text: `
    SELECT a.name FROM follow f JOIN account a ON a.id = f.follower_id
    WHERE f.following_id = $1 AND f.lists & $2 > 0 AND a.name > $3 ORDER BY a.name LIMIT $4`,
  parameters: {
    accountId: followTable.followingId,
    lists: followTable.lists,
    after: accountTable.name,
    limit: sql.int8,
  },
  columns: { name: accountTable.name },
  // A generic plan assumes few followers: a page of the followers of an account with 150,000 took 300 ms with it
  // instead of 6.
  isPrepared: false,
});

/** `$1` account; `$2` lists; `$3` last name; `$4` limit. Rows: the names of accounts on one of its lists. */
export const followingNames = new Statement({
  name: 'following-names',
  text: `
    SELECT a.name FROM follow f JOIN account a ON a.id = f.following_id
    WHERE f.follower_id = $1 AND f.lists & $2 > 0 AND a.name > $3 ORDER BY a.name LIMIT $4`,
  parameters: {
    accountId: followTable.followerId,
    lists: followTable.lists,
    after: accountTable.name,
    limit: sql.int8,
  },
  columns: { name: accountTable.name },
  // As for `followerNames`.
  isPrepared: false,
});

/** The descriptions of the lists of an account `a`, from the profile that counts. */
const blacklistDescription =
  'CASE WHEN a.has_posting_profile THEN a.posting_blacklist_description ELSE a.blacklist_description END';
const mutedListDescription =
  'CASE WHEN a.has_posting_profile THEN a.posting_muted_list_description ELSE a.muted_list_description END';

/**
 * SQL for as many accounts of a list as the limit. They are not sorted here: to find the first names of a short list
 * PostgreSQL would read all accounts in the order of their names, which took 2 s for an account that follows 300,000
 * and mutes none.
 */
const listedAccounts = (limit: string) => `
  (SELECT following_id FROM follow WHERE follower_id = $1 AND lists & $2 > 0 LIMIT ${limit}) f
  JOIN account a ON a.id = f.following_id`;

/** `$1` account; `$2` lists; `$3` limit. One row: the bytes of all descriptions that the next statement returns. */
export const descriptionBytes = new Statement({
  name: 'description-bytes',
  text: `
    SELECT coalesce(sum(octet_length(${blacklistDescription})), 0)
      + coalesce(sum(octet_length(${mutedListDescription})), 0) AS bytes
    FROM ${listedAccounts('$3')}`,
  parameters: { accountId: followTable.followerId, lists: followTable.lists, limit: sql.int8 },
  columns: { bytes: sql.notNull(sql.int8) },
  // An account may have few others on its lists, or most: a generic plan fits only one of the two.
  isPrepared: false,
});

/**
 * `$1` account; `$2` lists; `$3` whether descriptions are needed; `$4` limit. Rows: the names of that many accounts on
 * the lists, sorted, with the descriptions of their own lists. If there are more, it is undefined which ones.
 */
export const listed = new Statement({
  name: 'listed',
  text: `
    SELECT a.name, CASE WHEN $3 THEN ${blacklistDescription} END AS "blacklistDescription",
      CASE WHEN $3 THEN ${mutedListDescription} END AS "mutedListDescription"
    FROM ${listedAccounts('$4')}
    ORDER BY a.name`,
  parameters: { accountId: followTable.followerId, lists: followTable.lists, isDescribed: sql.bool, limit: sql.int8 },
  columns: {
    name: accountTable.name,
    blacklistDescription: accountTable.blacklistDescription,
    mutedListDescription: accountTable.mutedListDescription,
  },
  // As for `followerNames`.
  isPrepared: false,
});

/** `$1` account. One row if it follows a blacklist or mute list. */
export const followsAnyLists = new Statement({
  name: 'follows-any-lists',
  text: `
    SELECT FROM follow
    WHERE follower_id = $1 AND lists & ${followLists.followsBlacklists | followLists.followsMuted} > 0 LIMIT 1`,
  parameters: { accountId: followTable.followerId },
  columns: {},
});

/** `$1` name. Rows: the number of followers, and of accounts that it follows. */
export const followCounts = new Statement({
  name: 'follow-counts',
  text: 'SELECT followers, following FROM account WHERE name = $1',
  parameters: { name: accountTable.name },
  columns: { followers: accountTable.followers, following: accountTable.following },
});
