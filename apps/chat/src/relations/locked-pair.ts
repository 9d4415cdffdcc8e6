import { newIdentifier, type RowIn } from '@waggle/service';
import { type ClientBase } from 'pg';
import { AccountPairsLocked } from '../errors';
import { type NewChange } from '../log/append-changes';
import { type ChatEvent } from '../log/entry';
import {
  blocksOfPair,
  deleteBlock,
  deleteFriendship,
  deleteRequest,
  friendshipOfPair,
  insertBlock,
  insertFriendship,
  insertRequest,
  lockAccount,
  lockPair,
  requestOfPair,
  setDmBlocked,
  shareAccounts,
} from './locked-pair.statements';
import { dmOfPair, orderedPair } from './pair';

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
    const shared = await shareAccounts.find(client, { first, second });
    if (shared?.locked !== true) throw new AccountPairsLocked();
    // Names contain no spaces, so no two pairs have the same text.
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

  /** Returns the id of their dm; null if there is none. */
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
      const received = events.filter(({ to }) => to.includes(account)).map((event) => ({ ...event, to: [account] }));
      if (received.length > 0) changes.push({ account, events: received });
    }
    return changes;
  }
}
