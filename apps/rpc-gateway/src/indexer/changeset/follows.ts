import { type Queryable, sql, Statement } from '@waggle/service';
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
const findIgnoring = table.select(
  'ignoring',
  `WHERE t.following_id = ANY ($1::int[]) AND t.lists & ${followLists.ignores} > 0`,
  { followingIds: accountIds },
);

/** A recipient's mute lists are all read if there are fewer. Only an attacker follows more. */
const maxReadMuteLists = 1_000;

const findMuteLists = new Statement({
  name: 'follow-mute-lists',
  text: `
    SELECT f.follower_id AS "followerId", f.following_id AS "followingId", f.lists
    FROM unnest($1::int[]) a (id) CROSS JOIN LATERAL (
      SELECT * FROM follow WHERE follower_id = a.id AND lists & ${followLists.followsMuted} > 0 LIMIT ${maxReadMuteLists}
    ) f`,
  parameters: { ids: accountIds },
  columns: { followerId: sql.int4, followingId: sql.int4, lists: sql.int2 },
});

const eachList = Object.values(followLists);
const allLists = eachList.reduce((sum, list) => sum + list, 0);

/** Rows of a list that one statement resets. 500,000 took half a minute, which is half of the timeout of a statement. */
const maxResetRows = 50_000;

/**
 * Resets lists, and corrects the counts of the accounts. `$1` followers; `$2` their lists; `$3` followers and `$4` accounts whose rows are
 * left as they are. One row: how many rows were reset, at most `maxResetRows`.
 */
const resetLists = new Statement({
  name: 'follow-reset',
  text: `
    WITH reset AS MATERIALIZED (
      SELECT f.follower_id, f.following_id, f.lists & ~r.lists AS rest, f.lists & r.lists & ${followLists.follows} > 0 AS is_unfollowed
      FROM unnest($1::int[], $2::smallint[]) r (follower_id, lists)
      -- One index scan for each combination of lists. Without OFFSET 0 PostgreSQL joins in another order, and reads all lists of a follower.
      JOIN generate_series(1, ${allLists}) combination (lists) ON combination.lists & r.lists > 0
      CROSS JOIN LATERAL (
        SELECT * FROM follow WHERE follower_id = r.follower_id AND lists = combination.lists OFFSET 0
      ) f
      WHERE (f.follower_id, f.following_id) NOT IN (SELECT * FROM unnest($3::int[], $4::int[]))
      LIMIT ${maxResetRows}
    ), emptied AS (
      DELETE FROM follow f USING reset r
      WHERE f.follower_id = r.follower_id AND f.following_id = r.following_id AND r.rest = 0
    ), shortened AS (
      UPDATE follow f SET lists = r.rest FROM reset r
      WHERE f.follower_id = r.follower_id AND f.following_id = r.following_id AND r.rest > 0
    ), counted AS (
      UPDATE account a SET followers = a.followers - lost.followers, following = a.following - lost.following
      FROM (
        SELECT id, sum(followers)::int AS followers, sum(following)::int AS following FROM (
          SELECT following_id AS id, count(*) AS followers, 0 AS following FROM reset WHERE is_unfollowed GROUP BY following_id
          UNION ALL
          SELECT follower_id, 0, count(*) FROM reset WHERE is_unfollowed GROUP BY follower_id
        ) counts GROUP BY id
      ) lost WHERE a.id = lost.id
    )
    SELECT count(*)::int AS rows FROM reset`,
  parameters: {
    followerIds: accountIds,
    lists: sql.arrayOf(sql.int2),
    keptFollowerIds: accountIds,
    keptFollowingIds: accountIds,
  },
  columns: { rows: sql.notNull(sql.int4) },
});

type Follow = Readonly<FollowEntity>;

/**
 * The follow lists of a batch: who follows, mutes or blacklists whom. Lists may be long, so only the rows that operations name, and those that
 * decide about notifications, are read.
 */
export class Follows {
  private readonly rows = new Rows<Follow>(table);
  /** By follower, the accounts whose rows were read. */
  private readonly read = new IdSets();
  /** By list and follower, the accounts on the list, as far as their rows were read or written. */
  private readonly listed = new Map<number, IdSets>(eachList.map((list) => [list, new IdSets()]));
  /** By account, those that ignore it, as far as their rows were read or written. */
  private readonly ignoring = new IdSets();
  /** By follower, the lists that it has reset. */
  private readonly resets = new Map<number, number>();

  /** @returns the accounts that resets may remove from lists that were read */
  async load(client: Queryable, readSet: ReadSet, accounts: Accounts): Promise<number[]> {
    const { follows, muteChecks, resetters } = readSet;
    const checked = [...muteChecks.values()].flatMap(({ recipient, source }) => idsOf(accounts, recipient, source));
    const named = [...follows.values()].flatMap(({ follower, following }) => idsOf(accounts, follower, following));
    await this.addPairs(client, [...named, ...checked]);
    await this.addPairs(client, await this.addMuteLists(client, readSet, accounts));
    return [...resetters].flatMap((name) => [...this.read.get(accounts.idOf(name))]);
  }

  /** A bit for each list, as in `followLists`. */
  lists(followerId: number, followingId: number): number {
    return this.rows.find(followerId, followingId)?.lists ?? 0;
  }

  set(followerId: number, followingId: number, lists: number): void {
    const row = { followerId, followingId, lists };
    if (lists === 0) this.rows.remove(row);
    else this.rows.put(row);
    this.addToLists(row);
  }

  /**
   * Resets lists of a follower. `write` changes the rows that were not read.
   *
   * @returns the accounts on these lists in the other rows, which the caller has to change
   */
  reset(followerId: number, lists: number): number[] {
    this.resets.set(followerId, (this.resets.get(followerId) ?? 0) | lists);
    const ids = new Set<number>();
    for (const [list, listed] of this.listed) {
      if ((list & lists) > 0) for (const id of listed.get(followerId)) ids.add(id);
    }
    return [...ids];
  }

  /** Whether the recipient has muted the source, or follows the mute list of an account that has. */
  isMuted(recipientId: number, sourceId: number): boolean {
    const ignoring = this.ignoring.get(sourceId);
    return ignoring.has(recipientId) || haveCommonId(this.muteLists(recipientId), ignoring);
  }

  /** Writes the rows. Call it after the accounts are written, whose counts it corrects. */
  async write(client: Queryable): Promise<void> {
    if (this.resets.size > 0) await this.resetRows(client);
    await this.rows.write(client);
  }

  /** Resets lists in the rows that were not read. */
  private async resetRows(client: Queryable) {
    const followerIds = [...this.resets.keys()];
    const read = followerIds.flatMap((followerId) =>
      [...this.read.get(followerId)].map((followingId) => ({ followerId, followingId })),
    );
    const parameters = {
      followerIds,
      lists: [...this.resets.values()],
      keptFollowerIds: read.map(({ followerId }) => followerId),
      keptFollowingIds: read.map(({ followingId }) => followingId),
    };
    while ((await resetLists.find(client, parameters))?.rows === maxResetRows);
  }

  private async addPairs(client: Queryable, pairs: readonly FollowIds[]) {
    if (pairs.length === 0) return;
    const followerIds = pairs.map(({ followerId }) => followerId);
    const followingIds = pairs.map(({ followingId }) => followingId);
    this.add(await findPairs(client, { followerIds, followingIds }));
  }

  /**
   * Reads the mute lists that recipients of notifications follow, and who ignores the sources of these notifications.
   *
   * @returns recipients that follow too many lists to read all of them, each with an account whose list would mute the source
   */
  private async addMuteLists(
    client: Queryable,
    { muteChecks, muteListFollowers, ignorers }: ReadSet,
    accounts: Accounts,
  ): Promise<FollowIds[]> {
    const checks = [...muteChecks.values()];
    const ids = distinct(checks.flatMap(({ recipient }) => accounts.idOf(recipient) ?? []));
    if (ids.length > 0) this.add(await findMuteLists.query(client, { ids }));
    const countOf = (recipient: string) => this.muteLists(accounts.idOf(recipient)).size;
    // A recipient that is created in this batch may follow the list of an older account.
    const relevant = checks.filter(({ recipient }) => muteListFollowers.has(recipient) || countOf(recipient) > 0);
    const sourceIds = distinct(relevant.flatMap(({ source }) => accounts.idOf(source) ?? []));
    if (sourceIds.length > 0) this.add(await findIgnoring(client, { followingIds: sourceIds }));
    return relevant.flatMap(({ recipient, source }) => {
      const followerId = accounts.idOf(recipient);
      if (followerId === undefined || countOf(recipient) < maxReadMuteLists) return [];
      const inBatch = (ignorers.get(source) ?? []).flatMap((name) => accounts.idOf(name) ?? []);
      const owners = new Set([...this.ignoring.get(accounts.idOf(source)), ...inBatch]);
      return [...owners].map((followingId) => ({ followerId, followingId }));
    });
  }

  private muteLists(followerId: number | undefined): ReadonlySet<number> {
    return this.listed.get(followLists.followsMuted)?.get(followerId) ?? noIds;
  }

  private add(rows: readonly Follow[]) {
    this.rows.add(rows);
    for (const row of rows) {
      this.read.put(row.followerId, row.followingId, true);
      this.addToLists(row);
    }
  }

  private addToLists({ followerId, followingId, lists }: Follow) {
    for (const [list, listed] of this.listed) listed.put(followerId, followingId, (lists & list) > 0);
    this.ignoring.put(followingId, followerId, (lists & followLists.ignores) > 0);
  }
}

const noIds: ReadonlySet<number> = new Set();

/** Sets of ids, each of one account. */
class IdSets {
  private readonly sets = new Map<number, Set<number>>();

  get(accountId: number | undefined): ReadonlySet<number> {
    return (accountId === undefined ? undefined : this.sets.get(accountId)) ?? noIds;
  }

  /** Adds an id to the set of an account, or removes it. */
  put(accountId: number, id: number, isMember: boolean): void {
    const set = this.sets.get(accountId);
    if (!isMember) set?.delete(id);
    else if (set) set.add(id);
    else this.sets.set(accountId, new Set([id]));
  }
}

/** Searches the larger set for the ids of the smaller one. */
function haveCommonId(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  for (const id of smaller) if (larger.has(id)) return true;
  return false;
}

function distinct(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

type FollowIds = Pick<Follow, 'followerId' | 'followingId'>;

/** @returns nothing if one of the accounts is not indexed */
function idsOf(accounts: Accounts, follower: string, following: string): FollowIds[] {
  const [followerId, followingId] = [accounts.idOf(follower), accounts.idOf(following)];
  return followerId === undefined || followingId === undefined ? [] : [{ followerId, followingId }];
}
