import { newIdentifier } from '@waggle/service';
import { type ClientBase } from 'pg';
import { AccountLocked } from '../errors';
import { type NewChange } from '../log/append-changes';
import { type ChatEvent } from '../log/entry';
import { inOrder } from './pair';

export interface FriendRequestRow {
  id: string;
  requester: string;
  addressee: string;
}

/** The key of the lock that the pairs of an account share. */
const accountKey = (account: string) => `hashtextextended(${account}, 1)`;

/** An event for accounts by name. */
export type AccountEvent = ChatEvent & { to: readonly string[] };

/**
 * What is between two accounts, locked until this transaction ends: friendship, request, blocks, and whether they have a
 * dm.
 */
export class LockedPair {
  private constructor(
    private readonly client: ClientBase,
    private readonly names: [string, string],
  ) {}

  /**
   * Locks the pair. A transaction that also locks conversations locks the pair first.
   * @throws AccountLocked while all pairs of one of the two are locked
   */
  static async lock(client: ClientBase, account: string, other: string): Promise<LockedPair> {
    const names = inOrder(account, other);
    await shareAccounts(client, names);
    // There may be no row yet that could be locked. No name has a blank, so no two pairs have the same text.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [names.join(' ')]);
    return new LockedPair(client, names);
  }

  /**
   * Locks all pairs of an account until this transaction ends: none is locked, and none begins a dm, meanwhile. Other
   * transactions fail at once, so this one must be short and lock no conversation.
   */
  static async lockAllOf(client: ClientBase, account: string): Promise<void> {
    await client.query(`SELECT pg_advisory_xact_lock(${accountKey('$1')})`, [account]);
  }

  async areFriends(): Promise<boolean> {
    const { rowCount } = await this.client.query('SELECT FROM friendship WHERE first = $1 AND second = $2', this.names);
    return rowCount === 1;
  }

  async befriend(): Promise<void> {
    await this.client.query('INSERT INTO friendship (first, second) VALUES ($1, $2)', this.names);
  }

  /** @returns an event for each of the two; none if they were not friends */
  async endFriendship(): Promise<AccountEvent[]> {
    const { rowCount } = await this.client.query('DELETE FROM friendship WHERE first = $1 AND second = $2', this.names);
    if (rowCount === 0) return [];
    const [first, second] = this.names;
    return [
      { type: 'friendship-removed', payload: { username: second }, to: [first] },
      { type: 'friendship-removed', payload: { username: first }, to: [second] },
    ];
  }

  /** The request that one of them has made to the other. */
  async findRequest(): Promise<FriendRequestRow | undefined> {
    const { rows } = await this.client.query<FriendRequestRow>(
      // As its index has it: by the addressee alone, all requests to one whom many ask would be read.
      `SELECT id, requester, addressee FROM friend_request
       WHERE least(requester COLLATE "C", addressee COLLATE "C") = $1 AND greatest(requester COLLATE "C", addressee COLLATE "C") = $2`,
      this.names,
    );
    return rows[0];
  }

  /** @returns its id */
  async addRequest(requester: string, addressee: string): Promise<string> {
    const id = newIdentifier();
    await this.client.query('INSERT INTO friend_request (id, requester, addressee) VALUES ($1, $2, $3)', [
      id,
      requester,
      addressee,
    ]);
    return id;
  }

  async removeRequest(id: string): Promise<void> {
    await this.client.query('DELETE FROM friend_request WHERE id = $1', [id]);
  }

  /** Whether either has blocked the other. */
  async isBlocked(): Promise<boolean> {
    const { rowCount } = await this.client.query(
      'SELECT FROM block WHERE (blocker, blocked) IN (($1, $2), ($2, $1))',
      this.names,
    );
    return (rowCount ?? 0) > 0;
  }

  /** @returns false where it was so already */
  async block(blocker: string, blocked: string): Promise<boolean> {
    const { rowCount } = await this.client.query(
      'INSERT INTO block (blocker, blocked) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [blocker, blocked],
    );
    return rowCount === 1;
  }

  /** @returns false where it was not so */
  async unblock(blocker: string, blocked: string): Promise<boolean> {
    const { rowCount } = await this.client.query('DELETE FROM block WHERE blocker = $1 AND blocked = $2', [
      blocker,
      blocked,
    ]);
    return rowCount === 1;
  }

  /** Says on their dm, where the hot path looks, whether either blocks the other. */
  async markDm(): Promise<void> {
    await this.client.query(
      `UPDATE conversation SET blocked = $3 WHERE type = 'dm' AND dm_first = $1 AND dm_second = $2`,
      [...this.names, await this.isBlocked()],
    );
  }

  async findDmId(): Promise<string | null> {
    const { rows } = await this.client.query<{ id: string }>(
      `SELECT id FROM conversation WHERE type = 'dm' AND dm_first = $1 AND dm_second = $2`,
      this.names,
    );
    return rows[0]?.id ?? null;
  }

  /** The changes that deliver events to each of the two. Their dm gets one without events, which revokes cached permissions to write. */
  async changesOf(events: readonly AccountEvent[]): Promise<NewChange[]> {
    const dm = await this.findDmId();
    const changes: NewChange[] = dm === null ? [] : [{ conversationId: dm, events: [] }];
    for (const account of this.names) {
      const theirs = events.filter(({ to }) => to.includes(account)).map((event) => ({ ...event, to: [account] }));
      if (theirs.length > 0) changes.push({ account, events: theirs });
    }
    return changes;
  }
}

/**
 * Takes the shared locks of both accounts until the transaction ends. It does not wait for them: each wait would occupy a
 * connection of the pool, and so keep other accounts waiting as well. `Changes` tries the transaction again.
 *
 * @throws AccountLocked while all pairs of one of the two are locked
 */
async function shareAccounts(client: ClientBase, names: readonly [string, string]): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_xact_lock_shared(${accountKey('$1')})
        AND pg_try_advisory_xact_lock_shared(${accountKey('$2')}) AS locked`,
    [...names],
  );
  if (rows[0]?.locked !== true) throw new AccountLocked();
}
