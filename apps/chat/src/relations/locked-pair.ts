import { newIdentifier, type RowIn } from '@waggle/service';
import { type ClientBase } from 'pg';
import { AccountLocked } from '../errors';
import { type NewChange } from '../log/append-changes';
import { type ChatEvent } from '../log/entry';
import {
  blocksOfPair,
  deleteBlock,
  deleteFriendship,
  deleteRequest,
  dmOfPair,
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
import { inOrder } from './pair';

export type FriendRequestRow = RowIn<typeof requestOfPair>;

/** An event for accounts by name. */
export type AccountEvent = ChatEvent & { to: readonly string[] };

/**
 * The relations of two accounts, locked until the transaction ends: friendship, friend request, blocks, and their dm.
 */
export class LockedPair {
  private readonly names: readonly [string, string];

  private constructor(
    private readonly client: ClientBase,
    private readonly pair: { first: string; second: string },
  ) {
    this.names = [pair.first, pair.second];
  }

  /**
   * Locks the pair. A transaction that also locks conversations locks the pair first.
   * @throws AccountLocked while all pairs of one of the two are locked
   */
  static async lock(client: ClientBase, account: string, other: string): Promise<LockedPair> {
    const [first, second] = inOrder(account, other);
    await share(client, { first, second });
    // An advisory lock, since there may be no row yet. Names contain no spaces, so no two pairs have the same text.
    await lockPair.execute(client, { names: `${first} ${second}` });
    return new LockedPair(client, { first, second });
  }

  /**
   * Locks all pairs of an account until the transaction ends: no other transaction locks one, or creates a dm, meanwhile.
   * Those that try fail at once, so this transaction must be short and lock no conversation.
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

  /** @returns an event for each of the two; none if they were not friends */
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

  /** @returns false if it was blocked already */
  async block(blocker: string, blocked: string): Promise<boolean> {
    return (await insertBlock.execute(this.client, { blocker, blocked })) === 1;
  }

  /** @returns false if it was not blocked */
  async unblock(blocker: string, blocked: string): Promise<boolean> {
    return (await deleteBlock.execute(this.client, { blocker, blocked })) === 1;
  }

  /** Records on their dm, for which messages are authorized, whether either blocks the other. */
  async markDm(): Promise<void> {
    await setDmBlocked.execute(this.client, { ...this.pair, isBlocked: await this.isBlocked() });
  }

  async findDmId(): Promise<string | null> {
    return (await dmOfPair.find(this.client, this.pair))?.id ?? null;
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
 * connection of the pool, and delay other accounts. `Changes` retries the transaction.
 *
 * @throws AccountLocked while all pairs of one of the two are locked
 */
async function share(client: ClientBase, pair: { first: string; second: string }): Promise<void> {
  if ((await shareAccounts.find(client, pair))?.locked !== true) throw new AccountLocked();
}
