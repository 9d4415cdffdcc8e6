import { type Queryable, sql, Statement } from '@waggle/service';
import { PostTextEntity } from '../../posts/post-text.entity';
import { PostEntity } from '../../posts/post.entity';
import { YoungPostEntity } from '../../posts/young-post.entity';
import { ReblogEntity } from '../../reblogs/reblog.entity';
import { VoteEntity } from '../../votes/vote.entity';
import { type PostAction, type ReadSet } from './read-set';
import { type Accounts } from './accounts';
import { Rows } from './rows';
import { Table } from './table';

const postTable = new Table(PostEntity);
const youngTable = new Table(YoungPostEntity);
const textTable = new Table(PostTextEntity);
const voteTable = new Table(VoteEntity);
const reblogTable = new Table(ReblogEntity);
const findLinked = postTable.select(
  'linked',
  `JOIN unnest($1::int[], $2::text[]) l (author_id, permlink) ON l.author_id = t.author_id AND l.permlink = t.permlink
   WHERE NOT t.is_deleted`,
  { authorIds: sql.arrayOf(postTable.types.authorId), permlinks: sql.arrayOf(postTable.types.permlink) },
);

const deleteVotesOfPosts = new Statement({
  name: 'vote-close',
  text: 'DELETE FROM vote WHERE post_id = ANY ($1::bigint[])',
  parameters: { postIds: sql.arrayOf(voteTable.types.postId) },
  columns: {},
});

const deleteReblogsOfPosts = new Statement({
  name: 'reblog-of-deleted',
  text: 'DELETE FROM reblog WHERE post_id = ANY ($1::bigint[])',
  parameters: { postIds: sql.arrayOf(reblogTable.types.postId) },
  columns: {},
});

export type Post = Readonly<PostEntity>;
export type YoungPost = Readonly<YoungPostEntity>;

/** The ids of the account and the post of a `PostAction`. */
export interface PostActionIds {
  readonly postId: bigint;
  readonly accountId: number;
}

/** The posts of a batch, with their payouts, texts, votes and reblogs. */
export class Posts {
  readonly young = new Rows<YoungPost>(youngTable);
  readonly texts = new Rows<Readonly<PostTextEntity>>(textTable);
  readonly votes = new Rows<Readonly<VoteEntity>>(voteTable, ({ postId }) => postId);
  readonly reblogs = new Rows<Readonly<ReblogEntity>>(reblogTable, ({ postId }) => postId);
  private readonly rows = new Rows<Post>(postTable);
  private readonly ids = new Map<string, bigint>();
  /** Posts whose votes are deleted. */
  private readonly closed = new Set<bigint>();
  /** Posts whose reblogs are deleted, as the posts are. */
  private readonly deleted = new Set<bigint>();

  constructor(private nextId: bigint) {}

  /** Reads the posts of a batch. @returns the ids of the posts that exist */
  async load(client: Queryable, readSet: ReadSet, accounts: Accounts): Promise<bigint[]> {
    const links = [...readSet.posts.values()].flatMap(({ author, permlink }) => {
      const authorId = accounts.idOf(author);
      return authorId === undefined ? [] : [{ authorId, permlink }];
    });
    const named = await findLinked(client, {
      authorIds: links.map(({ authorId }) => authorId),
      permlinks: links.map(({ permlink }) => permlink),
    });
    this.rows.add(named);
    for (const post of named) this.ids.set(linkOf(post.authorId, post.permlink), post.id);
    const parents = named.flatMap(({ parentId: id }) => (id === null ? [] : [{ id }]));
    const texts = [...readSet.texts.values()].flatMap(
      ({ author, permlink }) => this.find(accounts.idOf(author), permlink) ?? [],
    );
    const votes = this.actionsOf(readSet.votes, accounts).map(({ postId, accountId: voterId }) => ({
      postId,
      voterId,
    }));
    await this.rows.load(client, parents);
    await this.young.load(client, named.map(toPostKey));
    await this.texts.load(client, texts.map(toPostKey));
    await this.votes.load(client, votes);
    await this.reblogs.load(client, this.actionsOf(readSet.postActions, accounts));
    return named.map(({ id }) => id);
  }

  /** The id for the next new post. */
  get nextPostId(): bigint {
    return this.nextId;
  }

  /** Returns a post; undefined if it does not exist or is deleted. */
  find(authorId: number | undefined, permlink: string): Post | undefined {
    const id = authorId === undefined ? undefined : this.ids.get(linkOf(authorId, permlink));
    return id === undefined ? undefined : this.rows.find(id);
  }

  /** The ids of accounts and of posts, of those that exist. */
  actionsOf(actions: readonly PostAction[], accounts: Accounts): PostActionIds[] {
    return actions.flatMap(({ account, link }) => {
      const accountId = accounts.idOf(account);
      const post = this.find(accounts.idOf(link.author), link.permlink);
      return accountId === undefined || post === undefined ? [] : [{ accountId, postId: post.id }];
    });
  }

  findById(id: bigint | null): Post | undefined {
    return id === null ? undefined : this.rows.find(id);
  }

  create(post: Omit<Post, 'id'>): Post {
    const id = this.nextId;
    this.nextId += 1n;
    this.ids.set(linkOf(post.authorId, post.permlink), id);
    return this.rows.put({ ...post, id });
  }

  change(post: Post, changes: Partial<Post>): void {
    this.rows.put({ ...(this.rows.find(post.id) ?? post), ...changes });
  }

  /** Deletes a post; another may reuse its link. */
  delete(post: Post): void {
    this.ids.delete(linkOf(post.authorId, post.permlink));
    this.change(post, { isDeleted: true });
    const young = this.young.find(post.id);
    if (young) this.young.remove(young);
    this.closeVotes(post.id);
    this.deleted.add(post.id);
    for (const reblog of this.reblogs.ofGroup(post.id)) this.reblogs.remove(reblog);
  }

  /** Deletes the votes on a post, which can no longer change. */
  closeVotes(id: bigint): void {
    this.closed.add(id);
    for (const vote of this.votes.ofGroup(id)) this.votes.remove(vote);
  }

  async write(client: Queryable): Promise<void> {
    if (this.closed.size > 0) {
      await deleteVotesOfPosts.execute(client, { postIds: [...this.closed] });
    }
    if (this.deleted.size > 0) {
      await deleteReblogsOfPosts.execute(client, { postIds: [...this.deleted] });
    }
    await this.rows.write(client);
    await this.young.write(client);
    await this.texts.write(client);
    await this.votes.write(client);
    await this.reblogs.write(client);
  }
}

/** The key of the other tables' row of a post. */
function toPostKey({ id }: Post): { postId: bigint } {
  return { postId: id };
}

/** Unambiguous, because the number contains no slash. */
function linkOf(authorId: number, permlink: string): string {
  return `${authorId}/${permlink}`;
}
