import { type Queryable, sql } from '@waggle/service';
import { FollowEntity } from '../../follows/follow.entity';
import { followLists } from '../../follows/follow-lists';
import { type ReadSet } from './read-set';
import { type Accounts } from './accounts';
import { Rows } from './rows';
import { Table } from './table';

const table = new Table(FollowEntity);
const accountIds = sql.arrayOf(sql.int4);
const findPairs = table.select(
  'pairs',
  `JOIN unnest($1::int[], $2::int[]) p (follower_id, following_id)
     ON p.follower_id = t.follower_id AND p.following_id = t.following_id`,
  { followerIds: accountIds, followingIds: accountIds },
);
const findFollowedMuteLists = table.select(
  'muted',
  `WHERE t.follower_id = ANY ($1::int[]) AND t.lists & ${followLists.followsMuted} > 0`,
  { followerIds: accountIds },
);
const findWholeLists = table.select('whole', 'WHERE t.follower_id = ANY ($1::int[])', { followerIds: accountIds });

type Follow = Readonly<FollowEntity>;

/** The follow lists of a batch: who follows, mutes or blacklists whom. */
export class Follows {
  private readonly rows = new Rows<Follow>(table);
  /** The accounts on the lists of each follower, of the rows that were read or written. */
  private readonly listed = new Map<number, Set<number>>();

  /** @returns the accounts on the lists that were read completely */
  async load(client: Queryable, readSet: ReadSet, accounts: Accounts): Promise<number[]> {
    const { follows, muteChecks, wholeLists } = readSet;
    const checked = [...muteChecks.values()].flatMap(({ recipient, source }) => idsOf(accounts, recipient, source));
    const named = [...follows.values()].flatMap(({ follower, following }) => idsOf(accounts, follower, following));
    await this.addPairs(client, [...named, ...checked]);
    if (checked.length > 0) {
      const followerIds = checked.map(({ followerId }) => followerId);
      this.add(await findFollowedMuteLists(client, { followerIds }));
      await this.addPairs(client, this.muteListPairs(readSet, accounts, checked));
    }
    const whole = [...wholeLists].flatMap((name) => accounts.idOf(name) ?? []);
    if (whole.length === 0) return [];
    const listed = await findWholeLists(client, { followerIds: whole });
    this.add(listed);
    return listed.map(({ followingId }) => followingId);
  }

  /** A bit for each list, as in `followLists`. */
  lists(followerId: number, followingId: number): number {
    return this.rows.find(followerId, followingId)?.lists ?? 0;
  }

  set(followerId: number, followingId: number, lists: number): void {
    const row = { followerId, followingId, lists };
    if (lists === 0) this.rows.remove(row);
    else this.addToListed(this.rows.put(row));
  }

  /** The accounts on at least one of these lists of a follower. */
  listedBy(followerId: number, lists: number): number[] {
    return [...(this.listed.get(followerId) ?? [])].filter((id) => (this.lists(followerId, id) & lists) > 0);
  }

  /** Whether the recipient has muted the source, or follows the mute list of an account that has. */
  isMuted(recipientId: number, sourceId: number): boolean {
    const ignores = (id: number) => (this.lists(id, sourceId) & followLists.ignores) > 0;
    return ignores(recipientId) || this.listedBy(recipientId, followLists.followsMuted).some(ignores);
  }

  write(client: Queryable): Promise<void> {
    return this.rows.write(client);
  }

  private async addPairs(client: Queryable, pairs: readonly FollowIds[]) {
    if (pairs.length === 0) return;
    const followerIds = pairs.map(({ followerId }) => followerId);
    const followingIds = pairs.map(({ followingId }) => followingId);
    this.add(await findPairs(client, { followerIds, followingIds }));
  }

  private add(rows: readonly Follow[]) {
    this.rows.add(rows);
    for (const row of rows) this.addToListed(row);
  }

  private addToListed({ followerId, followingId }: Follow) {
    const listed = this.listed.get(followerId);
    if (listed) listed.add(followingId);
    else this.listed.set(followerId, new Set([followingId]));
  }

  /**
   * Owners of mute lists that the recipient of a notification follows, or may follow in this batch, each with the source.
   *
   * @param checked recipients and sources
   */
  private muteListPairs({ muteLists }: ReadSet, accounts: Accounts, checked: readonly FollowIds[]): FollowIds[] {
    const followedInBatch = new Map<number, number[]>();
    for (const { follower, owner } of muteLists) {
      for (const { followerId, followingId: ownerId } of idsOf(accounts, follower, owner)) {
        const owners = followedInBatch.get(followerId) ?? [];
        followedInBatch.set(followerId, owners);
        owners.push(ownerId);
      }
    }
    return checked.flatMap(({ followerId: recipientId, followingId: sourceId }) => {
      const followed = this.listedBy(recipientId, followLists.followsMuted);
      const owners = new Set([...(followedInBatch.get(recipientId) ?? []), ...followed]);
      return [...owners].map((ownerId) => ({ followerId: ownerId, followingId: sourceId }));
    });
  }
}

type FollowIds = Pick<Follow, 'followerId' | 'followingId'>;

/** @returns nothing if one of the accounts is not indexed */
function idsOf(accounts: Accounts, follower: string, following: string): FollowIds[] {
  const [followerId, followingId] = [accounts.idOf(follower), accounts.idOf(following)];
  return followerId === undefined || followingId === undefined ? [] : [{ followerId, followingId }];
}
