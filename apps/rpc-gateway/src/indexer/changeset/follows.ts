import { type Queryable } from '@waggle/service';
import { type FollowEntity } from '../../follows/follow.entity';
import { followLists } from '../../follows/follow-lists';
import { type ReadSet } from './read-set';
import { type Accounts } from './accounts';
import {
  findFollowedMuteLists,
  findIgnoring,
  followRows,
  maxReadMuteLists,
  maxResetRows,
  resetUnreadRows,
} from './follow-rows';
import { haveCommonId, IdSets, noIds } from './id-sets';
import { Rows } from './rows';

type Follow = Readonly<FollowEntity>;

/**
 * The follow lists of a batch: who follows, mutes or blacklists whom. Lists may be long, so only the rows that
 * operations name, and those that decide about notifications, are read. The changeset loads and writes them, follow
 * operations change them, and the notification rules ask `isMuted`.
 */
export class Follows {
  private readonly rows = new Rows<Follow>(followRows);
  /** By follower, the accounts whose rows were read. */
  private readonly readIds = new IdSets();
  /** By list and follower, the accounts on the list, as far as their rows were read or set. */
  private readonly listedIds = new Map<number, IdSets>(Object.values(followLists).map((list) => [list, new IdSets()]));
  /** By account, those that ignore it, as far as their rows were read or set. */
  private readonly ignorerIds = new IdSets();
  /** By follower, the lists that it reset, as bits. */
  private readonly listsToReset = new Map<number, number>();

  /**
   * Reads the rows that the updates of a batch need.
   *
   * @returns the accounts that resetters have on lists, as far as the rows were read; the caller loads them because
   * their counts change
   */
  async load(client: Queryable, readSet: ReadSet, accounts: Accounts): Promise<number[]> {
    const { follows, muteChecks, resetters } = readSet;
    const checked = [...muteChecks.values()].flatMap(({ recipient, source }) => idsOf(accounts, recipient, source));
    const named = [...follows.values()].flatMap(({ follower, following }) => idsOf(accounts, follower, following));
    this.add(await followRows.find(client, [...named, ...checked]));
    this.add(await followRows.find(client, await this.readMuteLists(client, readSet, accounts)));
    return [...resetters].flatMap((name) => [...this.readIds.get(accounts.idOf(name))]);
  }

  /** Returns the lists of the follower that the other account is on, as bits (`followLists`). */
  lists(followerId: number, followingId: number): number {
    return this.rows.find(followerId, followingId)?.lists ?? 0;
  }

  /** @param lists all lists of the follower that the other account is on from now on */
  set(followerId: number, followingId: number, lists: number): void {
    const row = { followerId, followingId, lists };
    if (lists === 0) this.rows.remove(row);
    else this.rows.put(row);
    this.addToLists(row);
  }

  /**
   * Records that a follower resets lists. `write` resets the rows that were not read.
   *
   * @returns the accounts on these lists in the rows that were read or set, which the caller has to change
   */
  recordReset(followerId: number, lists: number): number[] {
    this.listsToReset.set(followerId, (this.listsToReset.get(followerId) ?? 0) | lists);
    const ids = new Set<number>();
    for (const [list, idsByFollower] of this.listedIds) {
      if ((list & lists) > 0) for (const id of idsByFollower.get(followerId)) ids.add(id);
    }
    return [...ids];
  }

  /** Whether the recipient muted the source, or follows the mute list of an account that did. */
  isMuted(recipientId: number, sourceId: number): boolean {
    const ignorers = this.ignorerIds.get(sourceId);
    return ignorers.has(recipientId) || haveCommonId(this.followedMuteListOwners(recipientId), ignorers);
  }

  /** Writes the rows. Call it after the accounts are written: it subtracts from their stored counts. */
  async write(client: Queryable): Promise<void> {
    if (this.listsToReset.size > 0) await this.resetRows(client);
    await this.rows.write(client);
  }

  /** Resets lists in the rows that were not read. */
  private async resetRows(client: Queryable): Promise<void> {
    const followerIds = [...this.listsToReset.keys()];
    const pairs = followerIds.flatMap((followerId) =>
      [...this.readIds.get(followerId)].map((followingId) => ({ followerId, followingId })),
    );
    const parameters = {
      followerIds,
      lists: [...this.listsToReset.values()],
      readFollowerIds: pairs.map(({ followerId }) => followerId),
      readFollowingIds: pairs.map(({ followingId }) => followingId),
    };
    let reset;
    do {
      reset = await resetUnreadRows.find(client, parameters);
    } while (reset?.rows === maxResetRows);
  }

  /**
   * Reads the mute lists that recipients of notifications follow, and the accounts that ignore the sources of these
   * notifications.
   *
   * @returns recipients that follow too many lists to read all of them, each with an account whose list would mute the
   * source
   */
  private async readMuteLists(
    client: Queryable,
    { muteChecks, muteListFollowers, ignorers }: ReadSet,
    accounts: Accounts,
  ): Promise<FollowIds[]> {
    const checks = [...muteChecks.values()];
    const ids = distinct(checks.flatMap(({ recipient }) => accounts.idOf(recipient) ?? []));
    if (ids.length > 0) this.add(await findFollowedMuteLists.query(client, { ids }));
    const countOf = (recipient: string) => this.followedMuteListOwners(accounts.idOf(recipient)).size;
    // A recipient that is created in this batch may follow the list of an older account.
    const relevant = checks.filter(({ recipient }) => muteListFollowers.has(recipient) || countOf(recipient) > 0);
    const sourceIds = distinct(relevant.flatMap(({ source }) => accounts.idOf(source) ?? []));
    if (sourceIds.length > 0) this.add(await findIgnoring(client, { followingIds: sourceIds }));
    return relevant.flatMap(({ recipient, source }) => {
      const followerId = accounts.idOf(recipient);
      if (followerId === undefined || countOf(recipient) < maxReadMuteLists) return [];
      const inBatch = (ignorers.get(source) ?? []).flatMap((name) => accounts.idOf(name) ?? []);
      const owners = new Set([...this.ignorerIds.get(accounts.idOf(source)), ...inBatch]);
      return [...owners].map((followingId) => ({ followerId, followingId }));
    });
  }

  private followedMuteListOwners(followerId: number | undefined): ReadonlySet<number> {
    return this.listedIds.get(followLists.followsMuted)?.get(followerId) ?? noIds;
  }

  private add(rows: readonly Follow[]): void {
    this.rows.add(rows);
    for (const row of rows) {
      this.readIds.setMember(row.followerId, row.followingId, true);
      this.addToLists(row);
    }
  }

  private addToLists({ followerId, followingId, lists }: Follow): void {
    for (const [list, idsByFollower] of this.listedIds)
      idsByFollower.setMember(followerId, followingId, (lists & list) > 0);
    this.ignorerIds.setMember(followingId, followerId, (lists & followLists.ignores) > 0);
  }
}

function distinct(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

type FollowIds = Pick<Follow, 'followerId' | 'followingId'>;

/** Returns the ids of two accounts; nothing if one of them is not indexed. */
function idsOf(accounts: Accounts, follower: string, following: string): FollowIds[] {
  const [followerId, followingId] = [accounts.idOf(follower), accounts.idOf(following)];
  return followerId === undefined || followingId === undefined ? [] : [{ followerId, followingId }];
}
