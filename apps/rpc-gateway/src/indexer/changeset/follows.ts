import { type Queryable, sql } from '@waggle/service';
import { FollowEntity } from '../../follows/follow.entity';
import { followLists } from '../../follows/follow-lists';
import { type ReadSet, type Pair } from './read-set';
import { type Accounts } from './accounts';
import { Rows } from './rows';
import { Table } from './table';

const table = new Table(FollowEntity);
const accountIds = sql.arrayOf(sql.int4);
const findPairs = table.select(
  'pairs',
  `JOIN unnest($1::int[], $2::int[]) p (follower_id, following_id)
     ON p.follower_id = t.follower_id AND p.following_id = t.following_id`,
  { ones: accountIds, others: accountIds },
);
const findFollowedMuteLists = table.select(
  'muted',
  `WHERE t.follower_id = ANY ($1::int[]) AND t.lists & ${followLists.followsMuted} > 0`,
  { followers: accountIds },
);
const findWholeLists = table.select('whole', 'WHERE t.follower_id = ANY ($1::int[])', { followers: accountIds });

type Follow = Readonly<FollowEntity>;

/** The follow lists of a batch: who follows, mutes or blacklists whom. */
export class Follows {
  private readonly rows = new Rows<Follow>(table);
  /** The accounts on the lists of each follower, of the rows that were read or written. */
  private readonly listed = new Map<number, Set<number>>();

  /** @returns the accounts on the lists that were read completely */
  async load(client: Queryable, readSet: ReadSet, accounts: Accounts): Promise<number[]> {
    const { follows, muteChecks, wholeLists } = readSet;
    const notified = idsOf(muteChecks.values(), accounts);
    const pairs = idsOf([...follows.values(), ...muteChecks.values()], accounts);
    if (pairs.ones.length > 0) this.add(await findPairs(client, pairs));
    if (notified.ones.length > 0) {
      this.add(await findFollowedMuteLists(client, { followers: notified.ones }));
      this.add(await findPairs(client, this.muteListPairs(readSet, accounts)));
    }
    const whole = [...wholeLists].flatMap((name) => accounts.idOf(name) ?? []);
    if (whole.length === 0) return [];
    const listed = await findWholeLists(client, { followers: whole });
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

  private add(rows: readonly Follow[]) {
    this.rows.add(rows);
    for (const row of rows) this.addToListed(row);
  }

  private addToListed({ followerId, followingId }: Follow) {
    const listed = this.listed.get(followerId);
    if (listed) listed.add(followingId);
    else this.listed.set(followerId, new Set([followingId]));
  }

  /** Owners of mute lists that a recipient follows, or may follow in this batch, each with the source of the notification. */
  private muteListPairs({ muteChecks, muteLists }: ReadSet, accounts: Accounts): Ids {
    const followedInBatch = new Map<number, number[]>();
    const { ones, others } = idsOf(muteLists, accounts);
    ones.forEach((follower, index) => {
      const owners = followedInBatch.get(follower) ?? [];
      followedInBatch.set(follower, owners);
      owners.push(...others.slice(index, index + 1));
    });
    const pairs: Ids = { ones: [], others: [] };
    for (const { one, other } of muteChecks.values()) {
      const [recipient, source] = [accounts.idOf(one), accounts.idOf(other)];
      if (recipient === undefined || source === undefined) continue;
      const owners = [...(followedInBatch.get(recipient) ?? []), ...this.listedBy(recipient, followLists.followsMuted)];
      for (const owner of new Set(owners)) {
        pairs.ones.push(owner);
        pairs.others.push(source);
      }
    }
    return pairs;
  }
}

/** Parallel arrays of ids, for `unnest`. */
interface Ids {
  readonly ones: number[];
  readonly others: number[];
}

function idsOf(pairs: Iterable<Pair>, accounts: Accounts): Ids {
  const ids: Ids = { ones: [], others: [] };
  for (const pair of pairs) {
    const [one, other] = [accounts.idOf(pair.one), accounts.idOf(pair.other)];
    if (one === undefined || other === undefined) continue;
    ids.ones.push(one);
    ids.others.push(other);
  }
  return ids;
}
