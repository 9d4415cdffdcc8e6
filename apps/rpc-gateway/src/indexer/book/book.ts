import { type Queryable } from '@waggle/service';
import { type IndexState } from '../../index-state/index-state';
import { type ChainFacts } from '../chain-facts';
import { type Needs } from '../needs';
import { Accounts } from './accounts';
import { Communities } from './communities';
import { Follows } from './follows';
import { Notifications } from './notifications';
import { Posts } from './posts';
import { Reblogs } from './reblogs';

/** The part of the index that a batch is about: read in a few statements, changed in memory, written in a few. */
export class Book {
  private constructor(
    readonly accounts: Accounts,
    readonly posts: Posts,
    readonly follows: Follows,
    readonly reblogs: Reblogs,
    readonly communities: Communities,
    readonly notifications: Notifications,
  ) {}

  /** @param keptFrom notifications that are older are not wanted */
  static async open(
    client: Queryable,
    needs: Needs,
    { state, keptFrom, chain }: { state: IndexState; keptFrom: Date; chain: ChainFacts },
  ): Promise<Book> {
    const accounts = await Accounts.open(client, needs, state, chain);
    const posts = new Posts(state.nextPostId);
    const postIds = await posts.load(client, needs, accounts);
    const marks = needs.marks.flatMap(({ account, link }) => {
      const accountId = accounts.idOf(account);
      const post = posts.find(accounts.idOf(link.author), link.permlink);
      return accountId === undefined || post === undefined ? [] : [{ accountId, postId: post.id }];
    });
    const communityIds = postIds.flatMap((id) => posts.findById(id)?.communityId ?? []);
    const book = new Book(
      accounts,
      posts,
      new Follows(),
      new Reblogs(),
      new Communities(),
      new Notifications(keptFrom),
    );
    await accounts.load(client, await book.follows.load(client, needs, accounts));
    await book.reblogs.load(client, marks);
    await book.communities.load(client, needs, accounts, { ids: communityIds, marks });
    await book.notifications.load(client, postIds);
    return book;
  }

  get nextAccountId(): number {
    return this.accounts.nextAccountId;
  }

  get nextPostId(): bigint {
    return this.posts.nextPostId;
  }

  async write(client: Queryable): Promise<void> {
    const { accounts, posts, follows, reblogs, communities, notifications } = this;
    for (const part of [accounts, posts, follows, reblogs, communities, notifications]) await part.write(client);
  }
}
