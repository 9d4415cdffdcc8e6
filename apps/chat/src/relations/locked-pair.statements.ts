import { sql, Statement } from '@waggle/service';
import { conversationTable } from '../log/conversation.entity';
import { blockTable } from './block.entity';
import { friendRequestTable } from './friend-request.entity';
import { friendshipTable } from './friendship.entity';
import { pairParameters } from './pair';

/** SQL: the key of the lock of an account. A transaction with a locked pair shares the locks of both accounts. */
const accountKey = (account: string) => `hashtextextended(${account}, 1)`;

const blockParameters = { blocker: blockTable.blocker, blocked: blockTable.blocked };

export const requestColumns = {
  id: friendRequestTable.id,
  requester: friendRequestTable.requester,
  addressee: friendRequestTable.addressee,
};

/** Locks a pair. An advisory lock, since there may be no row of the pair yet. */
export const lockPair = new Statement({
  name: 'lock-pair',
  text: 'SELECT FROM pg_advisory_xact_lock(hashtextextended($1, 0))',
  parameters: { names: sql.text },
  columns: {},
});

/** Waits for the transactions that share the account, and keeps others from sharing it. */
export const lockAccount = new Statement({
  name: 'lock-account',
  text: `SELECT FROM pg_advisory_xact_lock(${accountKey('$1')})`,
  parameters: { account: friendshipTable.first },
  columns: {},
});

/** Shares both accounts, without waiting: `locked` is false while `lockAccount` holds one of them. */
export const shareAccounts = new Statement({
  name: 'share-accounts',
  text: `
    SELECT pg_try_advisory_xact_lock_shared(${accountKey('$1')})
       AND pg_try_advisory_xact_lock_shared(${accountKey('$2')}) AS locked`,
  parameters: pairParameters,
  columns: { locked: sql.notNull(sql.bool) },
});

/** Returns a row if the two are friends. */
export const friendshipOfPair = new Statement({
  name: 'friendship-of-pair',
  text: 'SELECT FROM friendship WHERE first = $1 AND second = $2',
  parameters: pairParameters,
  columns: {},
});

export const insertFriendship = new Statement({
  name: 'insert-friendship',
  text: 'INSERT INTO friendship (first, second) VALUES ($1, $2)',
  parameters: pairParameters,
  columns: {},
});

export const deleteFriendship = new Statement({
  name: 'delete-friendship',
  text: 'DELETE FROM friendship WHERE first = $1 AND second = $2',
  parameters: pairParameters,
  columns: {},
});

/** The friend request between the two, whichever of them sent it. */
export const requestOfPair = new Statement({
  name: 'friend-request-of-pair',
  // Uses the index on these expressions: by an index on the addressee it would read all requests to a popular account.
  text: `
    SELECT id, requester, addressee FROM friend_request
    WHERE least(requester COLLATE "C", addressee COLLATE "C") = $1 AND greatest(requester COLLATE "C", addressee COLLATE "C") = $2`,
  parameters: pairParameters,
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
  parameters: { id: friendRequestTable.id },
  columns: {},
});

/** Returns a row for each of the two that blocks the other. */
export const blocksOfPair = new Statement({
  name: 'blocks-of-pair',
  text: 'SELECT FROM block WHERE (blocker, blocked) IN (($1, $2), ($2, $1))',
  parameters: pairParameters,
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

/** Records on the dm of the pair, if there is one, whether either account blocks the other. */
export const setDmBlocked = new Statement({
  name: 'set-dm-blocked',
  text: `UPDATE conversation SET blocked = $3 WHERE type = 'dm' AND dm_first = $1 AND dm_second = $2`,
  parameters: { ...pairParameters, isBlocked: conversationTable.blocked },
  columns: {},
});
