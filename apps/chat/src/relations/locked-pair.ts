import { newIdentifier, type RowIn, sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { AccountPairsLocked } from '../errors';
import { type NewChange } from '../log/append-changes';
import { type ChatEvent } from '../log/entry';
import { conversationTable } from '../log/conversation.entity';
import { blockTable } from './block.entity';
import { friendRequestTable } from './friend-request.entity';
import { friendshipTable } from './friendship.entity';
import { dmOfPair, orderedPair, pairParameters } from './pair';

/** The key of the lock that the pairs of an account share. */
const accountKey = (account: string) => `hashtextextended(${account}, 1)`;

const blockParameters = { blocker: blockTable.blocker, blocked: blockTable.blocked };

export const requestColumns = {
  id: friendRequestTable.id,
  requester: friendRequestTable.requester,
  addressee: friendRequestTable.addressee,
};

const lockPair = new Statement({
  name: 'lock-pair',
  text: 'SELECT FROM pg_advisory_xact_lock(hashtextextended($1, 0))',
  parameters: { names: sql.text },
  columns: {},
});

const lockAccount = new Statement({
  name: 'lock-account',
  text: `SELECT FROM pg_advisory_xact_lock(${accountKey('$1')})`,
  parameters: { account: friendshipTable.first },
  columns: {},
});

const shareAccounts = new Statement({
  name: 'share-accounts',
  text: `
    SELECT pg_try_advisory_xact_lock_shared(${accountKey('$1')})
       AND pg_try_advisory_xact_lock_shared(${accountKey('$2')}) AS locked`,
  parameters: pairParameters,
  columns: { locked: sql.notNull(sql.bool) },
});

/** A row if the two are friends. */
const friendshipOfPair = new Statement({
  name: 'friendship-of-pair',
  text: 'SELECT FROM friendship WHERE first = $1 AND second = $2',
  parameters: pairParameters,
  columns: {},
});

const insertFriendship = new Statement({
  name: 'insert-friendship',
  text: 'INSERT INTO friendship (first, second) VALUES ($1, $2)',
  parameters: pairParameters,
  columns: {},
});

const deleteFriendship = new Statement({
  name: 'delete-friendship',
  text: 'DELETE FROM friendship WHERE first = $1 AND second = $2',
  parameters: pairParameters,
  columns: {},
});

const requestOfPair = new Statement({
  name: 'friend-request-of-pair',
  // The expressions of the index: an index on the addressee would read all requests to a popular account.
  text: `
    SELECT id, requester, addressee FROM friend_request
    WHERE least(requester COLLATE "C", addressee COLLATE "C") = $1 AND greatest(requester COLLATE "C", addressee COLLATE "C") = $2`,
  parameters: pairParameters,
  columns: requestColumns,
});

const insertRequest = new Statement({
  name: 'insert-friend-request',
  text: 'INSERT INTO friend_request (id, requester, addressee) VALUES ($1, $2, $3)',
  parameters: requestColumns,
  columns: {},
});

const deleteRequest = new Statement({
  name: 'delete-friend-request',
  text: 'DELETE FROM friend_request WHERE id = $1',
  parameters: { id: friendRequestTable.id },
  columns: {},
});

/** A row for each of the two that blocks the other. */
const blocksOfPair = new Statement({
  name: 'blocks-of-pair',
  text: 'SELECT FROM block WHERE (blocker, blocked) IN (($1, $2), ($2, $1))',
  parameters: pairParameters,
  columns: {},
});

const insertBlock = new Statement({
  name: 'insert-block',
  text: 'INSERT INTO block (blocker, blocked) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  parameters: blockParameters,
  columns: {},
});

const deleteBlock = new Statement({
  name: 'delete-block',
  text: 'DELETE FROM block WHERE blocker = $1 AND blocked = $2',
  parameters: blockParameters,
  columns: {},
});

const setDmBlocked = new Statement({
  name: 'set-dm-blocked',
  text: `UPDATE conversation SET blocked = $3 WHERE type = 'dm' AND dm_first = $1 AND dm_second = $2`,
  parameters: { ...pairParameters, isBlocked: conversationTable.blocked },
  columns: {},
});

export type FriendRequestRow = RowIn<typeof requestOfPair>;

/** An event for accounts by name. */
export type AccountEvent = ChatEvent & { to: readonly string[] };

/**
 * The relations of two accounts, locked until the transaction ends: friendship, friend request, blocks, and their dm.
 */
export class LockedPair {
  private constructor(
    private readonly client: ClientBase,
    private readonly pair: { first: string; second: string },
  ) {}

  /**
   * Locks the pair. A transaction that also locks conversations locks the pair first.
   * @throws AccountPairsLocked while all pairs of one of the two are locked
   */
  static async lock(client: ClientBase, account: string, other: string): Promise<LockedPair> {
    const [first, second] = orderedPair(account, other);
    // Does not wait for the shared locks of both accounts: each wait would occupy a connection of the pool, and delay
    // other accounts. `ChangeTransactions` retries the transaction.
    if ((await shareAccounts.find(client, { first, second }))?.locked !== true) throw new AccountPairsLocked();
    // An advisory lock, since there may be no row yet. Names contain no spaces, so no two pairs have the same text.
    await lockPair.execute(client, { names: `${first} ${second}` });
    return new LockedPair(client, { first, second });
  }

  /**
   * Locks all pairs of an account until the transaction ends: no other transaction locks one, or creates a dm,
   * meanwhile. Those that try fail at once, so this transaction must be short and lock no conversation.
   */
  static async lockAllOf(client: ClientBase, account: string): Promise<void> {
    await lockAccount.execute(client, { account });
  }

  async areFriends(): Promise<boolean> {
    return (await friendshipOfPair.execute(this.client, this.pair)) === 1;
  }

  async befriend(): Promise<void> {
    await insertFriendship.execute(this.client, this.pair);
  }

  /** Ends the friendship of the two. @returns an event for each of them; none if they were not friends */
  async endFriendship(): Promise<AccountEvent[]> {
    if ((await deleteFriendship.execute(this.client, this.pair)) === 0) return [];
    const { first, second } = this.pair;
    return [
      { type: 'friendship-removed', payload: { username: second }, to: [first] },
      { type: 'friendship-removed', payload: { username: first }, to: [second] },
    ];
  }

  /** Returns the pending request between the two. */
  findRequest(): Promise<FriendRequestRow | undefined> {
    return requestOfPair.find(this.client, this.pair);
  }

  /** Stores a request. @returns its id */
  async addRequest(requester: string, addressee: string): Promise<string> {
    const id = newIdentifier();
    await insertRequest.execute(this.client, { id, requester, addressee });
    return id;
  }

  async removeRequest(id: string): Promise<void> {
    await deleteRequest.execute(this.client, { id });
  }

  /** Whether either account blocks the other. */
  async isBlocked(): Promise<boolean> {
    return (await blocksOfPair.execute(this.client, this.pair)) > 0;
  }

  /** Blocks an account. @returns false if it was blocked already */
  async block(blocker: string, blocked: string): Promise<boolean> {
    return (await insertBlock.execute(this.client, { blocker, blocked })) === 1;
  }

  /** Unblocks an account. @returns false if it was not blocked */
  async unblock(blocker: string, blocked: string): Promise<boolean> {
    return (await deleteBlock.execute(this.client, { blocker, blocked })) === 1;
  }

  /** Records on their dm whether either blocks the other, since messages are authorized by the dm. */
  async updateDmBlocked(): Promise<void> {
    await setDmBlocked.execute(this.client, { ...this.pair, isBlocked: await this.isBlocked() });
  }

  async findDmId(): Promise<string | null> {
    return (await dmOfPair.find(this.client, this.pair))?.id ?? null;
  }

  /**
   * Returns the changes that deliver events to each of the two. Their dm gets a change without events, which revokes
   * cached permissions to write.
   */
  async changesOf(events: readonly AccountEvent[]): Promise<NewChange[]> {
    const dm = await this.findDmId();
    const changes: NewChange[] = dm === null ? [] : [{ conversationId: dm, events: [] }];
    for (const account of [this.pair.first, this.pair.second]) {
      const theirs = events.filter(({ to }) => to.includes(account)).map((event) => ({ ...event, to: [account] }));
      if (theirs.length > 0) changes.push({ account, events: theirs });
    }
    return changes;
  }
}
