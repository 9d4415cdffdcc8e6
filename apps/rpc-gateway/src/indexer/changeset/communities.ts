import { type Queryable, sql } from '@waggle/service';
import { CommunityAuthorEntity } from '../../communities/community-author.entity';
import { CommunityRoleEntity } from '../../communities/community-role.entity';
import { CommunityEntity } from '../../communities/community.entity';
import { FlagEntity } from '../../communities/flag.entity';
import { communityRoles } from '../../communities/roles';
import { SubscriptionEntity } from '../../communities/subscription.entity';
import { type ReadSet } from './read-set';
import { type Accounts } from './accounts';
import { type PostActionIds } from './posts';
import { Rows } from './rows';
import { Table } from './table';

const communityTable = new Table(CommunityEntity);
const roleTable = new Table(CommunityRoleEntity);
const authorTable = new Table(CommunityAuthorEntity);
const subscriptionTable = new Table(SubscriptionEntity);
const flagTable = new Table(FlagEntity);
/** `$1` communities. Rows: the roles of their moderators and above. */
const findTeams = roleTable.select(
  'team',
  `WHERE t.community_id = ANY ($1::int[]) AND t.role >= ${communityRoles.mod}`,
  { communityIds: sql.arrayOf(roleTable.types.communityId) },
);
/** `$1` accounts. Rows: their roles in all communities. */
const findRolesOfAccounts = roleTable.select('of-accounts', 'WHERE t.account_id = ANY ($1::int[])', {
  accountIds: sql.arrayOf(roleTable.types.accountId),
});
/** `$1` accounts. Rows: how many unpaid posts each has in each community. */
const findAuthors = authorTable.select('authors', 'WHERE t.author_id = ANY ($1::int[])', {
  authorIds: sql.arrayOf(authorTable.types.authorId),
});

export type Community = Readonly<CommunityEntity>;

/**
 * What a batch reads and changes of communities: their rows, and the roles, pending posts, subscriptions and flags of
 * accounts in them. A post is pending until its payout.
 */
export class Communities {
  readonly subscriptions = new Rows<Readonly<SubscriptionEntity>>(subscriptionTable);
  readonly flags = new Rows<Readonly<FlagEntity>>(flagTable);
  private readonly rows = new Rows<Community>(communityTable);
  /** All roles that were read; moderators and above are groups by community, for `team`. */
  private readonly roles = new Rows<Readonly<CommunityRoleEntity>>(roleTable, ({ communityId, role }) =>
    role >= communityRoles.mod ? communityId : undefined,
  );
  private readonly authors = new Rows<Readonly<CommunityAuthorEntity>>(authorTable);

  /**
   * Reads what the batch needs: the communities that it names or has posts in, and what accounts do there.
   *
   * @param postCommunityIds the communities of the posts of the batch
   * @param actions the posts that accounts of the batch act on, such as by flagging them
   */
  async load(
    client: Queryable,
    readSet: ReadSet,
    accounts: Accounts,
    { postCommunityIds, actions }: { postCommunityIds: readonly number[]; actions: readonly PostActionIds[] },
  ): Promise<void> {
    // A community has the id of its account.
    const namedIds = [...readSet.communities].flatMap((name) => accounts.idOf(name) ?? []);
    const accountIds = [...readSet.accountsWithRoles].flatMap((name) => accounts.idOf(name) ?? []);
    const communityIds = new Set([...namedIds, ...postCommunityIds]);
    const subscriptionKeys = [...readSet.subscriptions.values()].flatMap(({ account, community }) => {
      const [accountId, communityId] = [accounts.idOf(account), accounts.idOf(community)];
      return accountId === undefined || communityId === undefined ? [] : [{ accountId, communityId }];
    });
    await this.rows.load(
      client,
      [...communityIds].map((id) => ({ id })),
    );
    if (namedIds.length > 0) {
      this.roles.add(await findTeams(client, { communityIds: namedIds }));
      // Flags change only by actions in a community, and these name it.
      await this.flags.load(client, actions);
    }
    if (accountIds.length > 0) {
      this.roles.add(await findRolesOfAccounts(client, { accountIds }));
      this.authors.add(await findAuthors(client, { authorIds: accountIds }));
    }
    await this.subscriptions.load(client, subscriptionKeys);
  }

  find(id: number | null | undefined): Community | undefined {
    return id === undefined || id === null ? undefined : this.rows.find(id);
  }

  put(community: Community): Community {
    return this.rows.put(community);
  }

  /** @param changes returns the columns to change, given the current row */
  change(id: number, changes: (current: Community) => Partial<Community>): void {
    const current = this.rows.find(id);
    if (current !== undefined) this.rows.put({ ...current, ...changes(current) });
  }

  /** Returns the role of an account whose roles are in the read set; guest if it has none. */
  role(communityId: number, accountId: number): number {
    return this.roles.find(communityId, accountId)?.role ?? communityRoles.guest;
  }

  setRoleOrTitle(communityId: number, accountId: number, changes: { role?: number; title?: string }): void {
    const current = this.roles.find(communityId, accountId);
    this.roles.put({ communityId, accountId, role: communityRoles.guest, title: '', ...current, ...changes });
  }

  /**
   * Returns the accounts that are moderators or above of a community in the read set. They are ordered by id, so that
   * all indexes notify them in the same order.
   */
  team(communityId: number): number[] {
    return this.roles
      .ofGroup(communityId)
      .map(({ accountId }) => accountId)
      .sort((one, other) => one - other);
  }

  /**
   * Counts one more or one less pending post of an author, whose roles are in the read set.
   *
   * @param communityId null for a post outside of communities
   */
  countPendingPost(communityId: number | null, authorId: number, change: 1 | -1): void {
    if (communityId === null) return;
    const before = this.pendingPostsOf(communityId, authorId);
    const after = before + change;
    const row = { authorId, communityId, pendingPosts: after };
    if (after > 0) this.authors.put(row);
    else this.authors.remove(row);
    const addsOrRemovesAuthor = before === 0 || after === 0;
    this.change(communityId, ({ authors, pendingPosts }) => ({
      authors: addsOrRemovesAuthor ? authors + change : authors,
      pendingPosts: pendingPosts + change,
    }));
  }

  /**
   * Adds an amount, which may be negative, to the pending payout of the posts in a community.
   *
   * @param communityId null for a post outside of communities
   */
  addPendingPayout(communityId: number | null, amount: bigint): void {
    if (communityId === null || amount === 0n) return;
    this.change(communityId, (current) => ({ pendingPayout: current.pendingPayout + amount }));
  }

  /** Writes all changes. */
  async write(client: Queryable): Promise<void> {
    for (const rows of [this.rows, this.roles, this.authors, this.subscriptions, this.flags]) await rows.write(client);
  }

  private pendingPostsOf(communityId: number, authorId: number): number {
    // This table has the author first in its key.
    return this.authors.find(authorId, communityId)?.pendingPosts ?? 0;
  }
}
