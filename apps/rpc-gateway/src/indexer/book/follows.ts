import { type Queryable } from '@waggle/service';
import { FollowEntity } from '../../follows/follow.entity';
import { followLists } from '../../follows/follow-lists';
import { type Needs, type Pair } from '../needs';
import { type Accounts } from './accounts';
import { Rows } from './rows';
import { Table } from './table';

const table = new Table(FollowEntity);

type Follow = Readonly<FollowEntity>;

/** Who is on which lists of whom, as far as a batch is about it. */
export class Follows {
  private readonly rows = new Rows<Follow>(table);
  /** Those on the lists of an account, as far as they were read or put there. */
  private readonly listed = new Map<number, Set<number>>();

  /** @returns the ids of all who are on the lists that were read as a whole */
  async load(client: Queryable, needs: Needs, accounts: Accounts): Promise<number[]> {
    const { follows, tellings, wholeLists } = needs;
    const told = idsOf(tellings.values(), accounts);
    const asked = idsOf([...follows.values(), ...tellings.values()], accounts);
    if (asked.ones.length > 0) this.add(await findPairs(client, asked));
    if (told.ones.length > 0) {
      this.add(await findMuteListsFollowed(client, told.ones));
      this.add(await findPairs(client, this.viaMuteLists(needs, accounts)));
    }
    const whole = [...wholeLists].flatMap((name) => accounts.idOf(name) ?? []);
    if (whole.length === 0) return [];
    const listed = await table.find(client, 'whole', 'WHERE t.follower_id = ANY ($1::int[])', [whole]);
    this.add(listed);
    return listed.map(({ followingId }) => followingId);
  }

  /** Bits as of `followLists`. */
  lists(followerId: number, followingId: number): number {
    return this.rows.find(followerId, followingId)?.lists ?? 0;
  }

  set(followerId: number, followingId: number, lists: number): void {
    const row = { followerId, followingId, lists };
    if (lists === 0) this.rows.remove(row);
    else this.note(this.rows.put(row));
  }

  /** Everybody on one of the lists of an account all of whose lists were read. */
  listedBy(followerId: number, lists: number): number[] {
    return [...(this.listed.get(followerId) ?? [])].filter((id) => (this.lists(followerId, id) & lists) > 0);
  }

  /** Whether the recipient has muted the source, or follows the mute list of somebody who has. */
  isMuted(recipientId: number, sourceId: number): boolean {
    const ignores = (id: number) => (this.lists(id, sourceId) & followLists.ignores) > 0;
    return ignores(recipientId) || this.listedBy(recipientId, followLists.followsMuted).some(ignores);
  }

  write(client: Queryable): Promise<void> {
    return this.rows.write(client);
  }

  private add(rows: readonly Follow[]) {
    this.rows.add(rows);
    for (const row of rows) this.note(row);
  }

  private note({ followerId, followingId }: Follow) {
    const listed = this.listed.get(followerId);
    if (listed) listed.add(followingId);
    else this.listed.set(followerId, new Set([followingId]));
  }

  /** Whether somebody has muted a source whose mute list a recipient follows already, or may begin to in this batch. */
  private viaMuteLists({ tellings, muteLists }: Needs, accounts: Accounts): Ids {
    const begun = new Map<number, number[]>();
    const { ones, others } = idsOf(muteLists, accounts);
    ones.forEach((follower, place) => {
      const owners = begun.get(follower) ?? [];
      begun.set(follower, owners);
      owners.push(...others.slice(place, place + 1));
    });
    const pairs: Ids = { ones: [], others: [] };
    for (const { one, other } of tellings.values()) {
      const [recipient, source] = [accounts.idOf(one), accounts.idOf(other)];
      if (recipient === undefined || source === undefined) continue;
      const owners = [...(begun.get(recipient) ?? []), ...this.listedBy(recipient, followLists.followsMuted)];
      for (const owner of new Set(owners)) {
        pairs.ones.push(owner);
        pairs.others.push(source);
      }
    }
    return pairs;
  }
}

/** Ids side by side, as arrays that `unnest` takes. */
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

function findPairs(client: Queryable, { ones, others }: Ids): Promise<Follow[]> {
  return table.find(
    client,
    'pairs',
    `JOIN unnest($1::int[], $2::int[]) p (follower_id, following_id)
       ON p.follower_id = t.follower_id AND p.following_id = t.following_id`,
    [ones, others],
  );
}

function findMuteListsFollowed(client: Queryable, followers: readonly number[]): Promise<Follow[]> {
  return table.find(client, 'muted', 'WHERE t.follower_id = ANY ($1::int[]) AND t.lists & 16 > 0', [followers]);
}
