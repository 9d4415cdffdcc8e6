import { sql, Statement } from '@waggle/service';

/** The key of the lock that the pairs of an account share. */
const accountKey = (account: string) => `hashtextextended(${account}, 1)`;

/** The names of a pair in the order of `inOrder`. */
const pair = { first: sql.text, second: sql.text };

const blockParameters = { blocker: sql.text, blocked: sql.text };

export const requestColumns = { id: sql.text, requester: sql.text, addressee: sql.text };

export const lockPair = new Statement({
  name: 'lock-pair',
  text: 'SELECT FROM pg_advisory_xact_lock(hashtextextended($1, 0))',
  parameters: { names: sql.text },
  columns: {},
});

export const lockAccount = new Statement({
  name: 'lock-account',
  text: `SELECT FROM pg_advisory_xact_lock(${accountKey('$1')})`,
  parameters: { account: sql.text },
  columns: {},
});

export const shareAccounts = new Statement({
  name: 'share-accounts',
  text: `
    SELECT pg_try_advisory_xact_lock_shared(${accountKey('$1')})
       AND pg_try_advisory_xact_lock_shared(${accountKey('$2')}) AS locked`,
  parameters: pair,
  columns: { locked: sql.notNull(sql.bool) },
});

/** A row if the two are friends. */
export const friendshipOfPair = new Statement({
  name: 'friendship-of-pair',
  text: 'SELECT FROM friendship WHERE first = $1 AND second = $2',
  parameters: pair,
  columns: {},
});

export const insertFriendship = new Statement({
  name: 'insert-friendship',
  text: 'INSERT INTO friendship (first, second) VALUES ($1, $2)',
  parameters: pair,
  columns: {},
});

export const deleteFriendship = new Statement({
  name: 'delete-friendship',
  text: 'DELETE FROM friendship WHERE first = $1 AND second = $2',
  parameters: pair,
  columns: {},
});

export const requestOfPair = new Statement({
  name: 'friend-request-of-pair',
  // The expressions of the index: an index on the addressee would read all requests to a popular account.
  text: `
    SELECT id, requester, addressee FROM friend_request
    WHERE least(requester COLLATE "C", addressee COLLATE "C") = $1 AND greatest(requester COLLATE "C", addressee COLLATE "C") = $2`,
  parameters: pair,
  columns: requestColumns,
});

export const insertRequest = new Statement({
  name: 'insert-friend-request',
  text: 'INSERT INTO friend_request (id, requester, addressee) VALUES ($1, $2, $3)',
  parameters: requestColumns,
  columns: {},
});

export const deleteRequest = new Statement({
  name: 'delete-friend-request',
  text: 'DELETE FROM friend_request WHERE id = $1',
  parameters: { id: sql.text },
  columns: {},
});

/** A row for each of the two that blocks the other. */
export const blocksOfPair = new Statement({
  name: 'blocks-of-pair',
  text: 'SELECT FROM block WHERE (blocker, blocked) IN (($1, $2), ($2, $1))',
  parameters: pair,
  columns: {},
});

export const insertBlock = new Statement({
  name: 'insert-block',
  text: 'INSERT INTO block (blocker, blocked) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  parameters: blockParameters,
  columns: {},
});

export const deleteBlock = new Statement({
  name: 'delete-block',
  text: 'DELETE FROM block WHERE blocker = $1 AND blocked = $2',
  parameters: blockParameters,
  columns: {},
});

export const setDmBlocked = new Statement({
  name: 'set-dm-blocked',
  text: `UPDATE conversation SET blocked = $3 WHERE type = 'dm' AND dm_first = $1 AND dm_second = $2`,
  parameters: { ...pair, isBlocked: sql.bool },
  columns: {},
});

export const dmOfPair = new Statement({
  name: 'dm-of-pair',
  text: `SELECT id FROM conversation WHERE type = 'dm' AND dm_first = $1 AND dm_second = $2`,
  parameters: pair,
  columns: { id: sql.text },
});
