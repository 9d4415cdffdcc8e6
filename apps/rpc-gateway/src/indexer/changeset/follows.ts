import { type Queryable, sql, Statement } from '@waggle/service';
import { FollowEntity } from '../../follows/follow.entity';
import { followLists } from '../../follows/follow-lists';
import { type ReadSet } from './read-set';
import { type Accounts } from './accounts';
import { Rows } from './rows';
import { Table } from './table';

// In `table.select`, `t` is the table `follow`.
const table = new Table(FollowEntity);
const accountIds = sql.arrayOf(table.types.followerId);
/** Who mutes the accounts. "Ignores" is the chain's word for "mutes". */
const findIgnoring = table.select(
  'ignoring',
  `WHERE t.following_id = ANY ($1::int[]) AND t.lists & ${followLists.ignores} > 0`,
  { followingIds: accountIds },
);

/**
 * The maximum number of followed mute lists that are read for a recipient. If it follows as many, those whose owner
 * ignores a source are read too (`readMuteLists`). Only an attacker follows more.
 */
const maxReadMuteLists = 1_000;

const findFollowedMuteLists = new Statement({
  name: 'follow-mute-lists',
  text: `
    SELECT f.follower_id AS "followerId", f.following_id AS "followingId", f.lists
    FROM unnest($1::int[]) a (id) CROSS JOIN LATERAL (
      SELECT * FROM follow WHERE follower_id = a.id AND lists & ${followLists.followsMuted} > 0 LIMIT ${maxReadMuteLists}
    ) f`,
  parameters: { ids: accountIds },
  columns: table.types,
});

const eachList = Object.values(followLists);
const allLists = eachList.reduce((sum, list) => sum + list, 0);

/**
 * Rows of `follow` that one statement resets at most. 500,000 took half a minute, which is half of the timeout of a
 * statement.
 */
const maxResetRows = 50_000;

/**
 * Resets lists, and corrects the counts of the accounts. `$1` followers; `$2` their lists; `$3` followers and `$4`
 * accounts of the rows that were read, which it leaves unchanged. One row: how many rows were reset, at most
 * `maxResetRows`.
 */
const resetUnreadRows = new Statement({
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
    lists: sql.arrayOf(table.types.lists),
    readFollowerIds: accountIds,
    readFollowingIds: accountIds,
  },
  columns: { rows: sql.notNull(sql.int4) },
});

type Follow = Readonly<FollowEntity>;

/**
 * The follow lists of a batch: who follows, mutes or blacklists whom. Lists may be long, so only the rows that
 * operations name, and those that decide about notifications, are read. The changeset loads and writes them, follow
 * operations change them, and the notification rules ask `isMuted`.
 */
export class Follows {
  private readonly rows = new Rows<Follow>(table);
  /** By follower, the accounts whose rows were read. */
  private readonly readIds = new IdSets();
  /** By list and follower, the accounts on the list, as far as their rows were read or set. */
  private readonly listedIds = new Map<number, IdSets>(eachList.map((list) => [list, new IdSets()]));
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
    this.add(await table.find(client, [...named, ...checked]));
    this.add(await table.find(client, await this.readMuteLists(client, readSet, accounts)));
    return [...resetters].flatMap((name) => [...this.readIds.get(accounts.idOf(name))]);
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

const noIds: ReadonlySet<number> = new Set();

/** A set of ids for each account. */
class IdSets {
  private readonly sets = new Map<number, Set<number>>();

  get(accountId: number | undefined): ReadonlySet<number> {
    return (accountId === undefined ? undefined : this.sets.get(accountId)) ?? noIds;
  }

  /** Adds an id to the set of an account, or removes it. */
  setMember(accountId: number, id: number, isMember: boolean): void {
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

/** Returns the ids of two accounts; nothing if one of them is not indexed. */
function idsOf(accounts: Accounts, follower: string, following: string): FollowIds[] {
  const [followerId, followingId] = [accounts.idOf(follower), accounts.idOf(following)];
  return followerId === undefined || followingId === undefined ? [] : [{ followerId, followingId }];
}
