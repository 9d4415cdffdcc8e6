import { type Queryable } from '@waggle/service';
import { type PayoutEntity } from '../../posts/payout.entity';
import { type PostContentEntity } from '../../posts/post-content.entity';
import { type PostTagEntity } from '../../posts/post-tag.entity';
import { type PostTextEntity } from '../../posts/post-text.entity';
import { type PostEntity } from '../../posts/post.entity';
import { type BlogEntryEntity } from '../../reblogs/blog-entry.entity';
import { type VoteEntity } from '../../votes/vote.entity';
import { type PostAction, type PostLink, type ReadSet } from './read-set';
import { type Accounts } from './accounts';
import {
  blogTable,
  contentTable,
  deleteVotes,
  deletions,
  findLinked,
  findTags,
  findThreads,
  payoutTable,
  postTable,
  tagTable,
  textTable,
  voteTable,
} from './post-rows';
import { updateRankings } from './rankings';
import { Rows } from './rows';

export type Post = Readonly<PostEntity>;
export type Payout = Readonly<PayoutEntity>;
export type Vote = Readonly<VoteEntity>;

/** The ids of the account and the post of a `PostAction`. */
export interface PostActionIds {
  readonly postId: bigint;
  readonly accountId: number;
}

/** What was paid to authors, curators and beneficiaries, in thousandths of HBD. */
export function paidOf({ authorPayout, curatorPayout, beneficiaryPayout }: Payout): bigint {
  return authorPayout + curatorPayout + beneficiaryPayout;
}

const ofPost = ({ postId }: { readonly postId: bigint }): bigint => postId;

/** The posts of a batch, with their contents, payouts, votes and entries of blogs. */
export class Posts {
  readonly contents = new Rows<Readonly<PostContentEntity>>(contentTable, ofPost);
  readonly tags = new Rows<Readonly<PostTagEntity>>(tagTable, ofPost);
  readonly texts = new Rows<Readonly<PostTextEntity>>(textTable, ofPost);
  readonly payouts = new Rows<Payout>(payoutTable, ofPost);
  readonly votes = new Rows<Vote>(voteTable, ofPost);
  readonly blogEntries = new Rows<Readonly<BlogEntryEntity>>(blogTable, ofPost);
  /**
   * The rshares that a changed vote takes back from the reputation of the author: 0 if a payout closed the vote.
   * `castVote` adds them, because it replaces the time of the vote; `countVote` removes them.
   */
  readonly replacedRshares = new Map<string, bigint>();
  private readonly rows = new Rows<Post>(postTable);
  /** The ids of posts that are not deleted, by `linkOf`. */
  private readonly ids = new Map<string, bigint>();
  /** Posts whose stored votes `write` deletes. */
  private readonly votesDeleted = new Set<bigint>();
  /** Posts that `write` deletes from the other tables. */
  private readonly deleted = new Set<bigint>();

  /** @param keepsVotes whether votes are kept when their post is paid */
  constructor(
    private nextId: bigint,
    readonly keepsVotes: boolean,
  ) {}

  /** Reads the posts of a batch. @returns the ids of the posts that exist */
  async load(client: Queryable, readSet: ReadSet, accounts: Accounts): Promise<bigint[]> {
    const named = await this.loadLinked(client, readSet.posts.values(), accounts);
    const find = ({ author, permlink }: PostLink) => this.find(accounts.idOf(author), permlink) ?? [];
    const threads = [...readSet.threads.values()].flatMap(find);
    const edited = [...readSet.edits.values()].flatMap(find);
    const texts = [...readSet.texts.values()].flatMap(find);
    const votes = this.actionsOf([...readSet.votes.values()], accounts);
    await this.loadParents(client, named, threads);
    await this.contents.load(client, edited.map(toPostKey));
    if (edited.length > 0) this.tags.add(await findTags(client, { postIds: edited.map(({ id }) => id) }));
    await this.texts.load(client, texts.map(toPostKey));
    await this.payouts.load(client, named.map(toPostKey));
    await this.votes.load(
      client,
      votes.map(({ postId, accountId: voterId }) => ({ postId, voterId })),
    );
    await this.blogEntries.load(client, this.actionsOf(readSet.postActions, accounts));
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

  /** Adds a post. @param parent whose thread was read; undefined for a post that is no reply */
  create(post: Omit<Post, 'id' | 'rootId' | 'children'>, parent: Post | undefined): Post {
    const id = this.nextId;
    this.nextId += 1n;
    this.ids.set(linkOf(post.authorId, post.permlink), id);
    this.countReply(parent, 1);
    return this.rows.put({ ...post, id, rootId: parent?.rootId ?? id, children: 0 });
  }

  change(post: Post, changes: Partial<Post>): void {
    this.rows.put({ ...(this.rows.find(post.id) ?? post), ...changes });
  }

  /** Deletes a post whose thread was read; another may reuse its link. */
  delete(post: Post): void {
    this.ids.delete(linkOf(post.authorId, post.permlink));
    this.change(post, { isDeleted: true });
    this.countReply(this.findById(post.parentId), -1);
    this.deleted.add(post.id);
    const { contents, tags, texts, payouts, votes, blogEntries } = this;
    for (const rows of [contents, tags, texts, payouts, votes, blogEntries]) rows.removeGroup(post.id);
  }

  /** Deletes the votes on a post, which can no longer change. */
  deleteVotes(id: bigint): void {
    this.votesDeleted.add(id);
    this.votes.removeGroup(id);
  }

  /** @param hasRankings whether unpaid posts are ranked: not while the index catches up with the chain */
  async write(client: Queryable, hasRankings: boolean): Promise<void> {
    if (this.votesDeleted.size > 0) await deleteVotes.execute(client, { postIds: [...this.votesDeleted] });
    if (this.deleted.size > 0) {
      for (const statement of deletions) await statement.execute(client, { postIds: [...this.deleted] });
    }
    const { rows, contents, tags, texts, payouts, votes, blogEntries } = this;
    for (const each of [rows, contents, tags, texts, payouts, votes, blogEntries]) await each.write(client);
    if (!hasRankings) return;
    const idsOf = (isPaid: boolean) =>
      payouts.changed().flatMap((payout) => (payout.isPaid === isPaid ? [payout.postId] : []));
    await updateRankings(client, { paid: idsOf(true), unpaid: idsOf(false), deleted: [...this.deleted] });
  }

  private async loadLinked(client: Queryable, named: Iterable<PostLink>, accounts: Accounts): Promise<Post[]> {
    const links = [...named].flatMap(({ author, permlink }) => {
      const authorId = accounts.idOf(author);
      return authorId === undefined ? [] : [{ authorId, permlink }];
    });
    const found = await findLinked(client, {
      authorIds: links.map(({ authorId }) => authorId),
      permlinks: links.map(({ permlink }) => permlink),
    });
    this.rows.add(found);
    for (const post of found) this.ids.set(linkOf(post.authorId, post.permlink), post.id);
    return found;
  }

  /** Reads the parents of posts, and all posts above threads. */
  private async loadParents(client: Queryable, posts: readonly Post[], threads: readonly Post[]): Promise<void> {
    await this.rows.load(
      client,
      posts.flatMap(({ parentId: id }) => (id === null ? [] : [{ id }])),
    );
    const parentIds = threads.flatMap(({ parentId }) => parentId ?? []);
    if (parentIds.length > 0) this.rows.add(await findThreads(client, { ids: [...new Set(parentIds)] }));
  }

  /** Counts a reply in all posts above it. */
  private countReply(parent: Post | undefined, change: 1 | -1): void {
    for (let above = parent; above !== undefined; above = this.findById(above.parentId)) {
      const { children } = this.rows.find(above.id) ?? above;
      this.change(above, { children: Math.max(0, children + change) });
    }
  }
}

/** The key of the other tables' row of a post. */
function toPostKey({ id }: Post): { postId: bigint } {
  return { postId: id };
}

/** The key of a post by author and permlink. Unambiguous, because the number contains no slash. */
function linkOf(authorId: number, permlink: string): string {
  return `${authorId}/${permlink}`;
}
