import { type Queryable } from '@waggle/service';
import { type IndexState } from '../../index-state/index-state';
import { type AccountLookup } from '../../accounts/account-lookup';
import { type ReadSet } from './read-set';
import { Accounts } from './accounts';
import { Communities } from './communities';
import { Follows } from './follows';
import { Notifications } from './notifications';
import { Posts } from './posts';

/** A unit of work: the rows of a batch, which are read in a few statements, changed in memory and written in a few. */
export class Changeset {
  private constructor(
    readonly accounts: Accounts,
    readonly posts: Posts,
    readonly follows: Follows,
    readonly communities: Communities,
    readonly notifications: Notifications,
  ) {}

  /** Reads the rows of a read set. */
  static async load(
    client: Queryable,
    readSet: ReadSet,
    { state, accountLookup }: { state: IndexState; accountLookup: AccountLookup },
  ): Promise<Changeset> {
    const accounts = await Accounts.load(client, readSet, state, accountLookup);
    const posts = new Posts(state.nextPostId, readSet.retention.keepsVotes);
    const postIds = await posts.load(client, readSet, accounts);
    const postCommunityIds = postIds.flatMap((id) => posts.findById(id)?.communityId ?? []);
    const changeset = new Changeset(
      accounts,
      posts,
      new Follows(),
      new Communities(),
      new Notifications(readSet.retention),
    );
    const listedIds = await changeset.follows.load(client, readSet, accounts);
    await accounts.loadByIds(client, listedIds);
    await changeset.communities.load(client, readSet, accounts, {
      postCommunityIds,
      actions: posts.actionsOf(readSet.postActions, accounts),
    });
    await changeset.notifications.load(client, posts.actionsOf(readSet.mentions, accounts));
    return changeset;
  }

  get nextAccountId(): number {
    return this.accounts.nextAccountId;
  }

  get nextPostId(): bigint {
    return this.posts.nextPostId;
  }

  /** @param hasRankings as in `Posts.write` */
  async write(client: Queryable, hasRankings: boolean): Promise<void> {
    const { accounts, posts, follows, communities, notifications } = this;
    await accounts.write(client);
    await posts.write(client, hasRankings);
    for (const part of [follows, communities, notifications]) await part.write(client);
  }
}
