import { type Queryable, sql, Statement } from '@waggle/service';
import { PostTextEntity } from '../../posts/post-text.entity';
import { PostEntity } from '../../posts/post.entity';
import { YoungPostEntity } from '../../posts/young-post.entity';
import { VoteEntity } from '../../votes/vote.entity';
import { type PostAction, type PostLink, type ReadSet } from './read-set';
import { type Accounts } from './accounts';
import { type PostActions, Reblogs } from './reblogs';
import { Rows } from './rows';
import { Table } from './table';

const postTable = new Table(PostEntity);
const youngTable = new Table(YoungPostEntity);
const textTable = new Table(PostTextEntity);
const voteTable = new Table(VoteEntity);
const ids = sql.arrayOf(sql.int8);
const findLinked = postTable.select(
  'linked',
  `JOIN unnest($1::int[], $2::text[]) l (author_id, permlink) ON l.author_id = t.author_id AND l.permlink = t.permlink
   WHERE NOT t.is_deleted`,
  { authorIds: sql.arrayOf(sql.int4), permlinks: sql.arrayOf(sql.text) },
);
const findByIds = postTable.select('by-id', 'WHERE t.id = ANY ($1::bigint[])', { ids });
const findYoung = youngTable.select('by-id', 'WHERE t.post_id = ANY ($1::bigint[])', { ids });
const findTexts = textTable.select('by-id', 'WHERE t.post_id = ANY ($1::bigint[])', { ids });
const findVotes = voteTable.select(
  'pairs',
  'JOIN unnest($1::bigint[], $2::int[]) p (post_id, voter_id) ON p.post_id = t.post_id AND p.voter_id = t.voter_id',
  { postIds: ids, voterIds: sql.arrayOf(sql.int4) },
);

const deleteVotesOfPosts = new Statement({
  name: 'vote-close',
  text: 'DELETE FROM vote WHERE post_id = ANY ($1::bigint[])',
  parameters: { postIds: sql.arrayOf(sql.int8) },
  columns: {},
});

export type Post = Readonly<PostEntity>;
export type YoungPost = Readonly<YoungPostEntity>;

/** The posts of a batch, with their payouts, texts, votes and reblogs. */
export class Posts {
  readonly young = new Rows<YoungPost>(youngTable);
  readonly texts = new Rows<Readonly<PostTextEntity>>(textTable);
  readonly votes = new Rows<Readonly<VoteEntity>>(voteTable, ({ postId }) => postId);
  readonly reblogs = new Reblogs();
  private readonly rows = new Rows<Post>(postTable);
  private readonly ids = new Map<string, bigint>();
  /** Posts whose votes are deleted. */
  private readonly closed = new Set<bigint>();

  constructor(private nextId: bigint) {}

  /** @returns the ids of the posts that exist */
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
    if (named.length === 0) return [];
    const namedIds = named.map(({ id }) => id);
    const parents = named.flatMap(({ parentId }) => (parentId === null ? [] : [parentId]));
    this.rows.add(await findByIds(client, { ids: parents }));
    this.young.add(await findYoung(client, { ids: namedIds }));
    await this.loadTexts(client, readSet, accounts);
    await this.loadVotes(client, readSet, accounts);
    await this.reblogs.load(client, this.actionsOf(readSet.postActions, accounts));
    return namedIds;
  }

  /** The id for the next new post. */
  get nextPostId(): bigint {
    return this.nextId;
  }

  /** @returns undefined if it does not exist or is deleted */
  find(authorId: number | undefined, permlink: string): Post | undefined {
    const id = authorId === undefined ? undefined : this.ids.get(linkOf(authorId, permlink));
    return id === undefined ? undefined : this.rows.find(id);
  }

  /** The ids of those posts that exist. */
  idsOf(links: Iterable<PostLink>, accounts: Accounts): bigint[] {
    return [...links].flatMap(({ author, permlink }) => this.find(accounts.idOf(author), permlink)?.id ?? []);
  }

  /** The ids of accounts and of posts, of those that exist. */
  actionsOf(actions: readonly PostAction[], accounts: Accounts): PostActions {
    const found = actions.flatMap(({ account, link }) => {
      const accountId = accounts.idOf(account);
      const post = this.find(accounts.idOf(link.author), link.permlink);
      return accountId === undefined || post === undefined ? [] : [{ accountId, postId: post.id }];
    });
    return { postIds: found.map(({ postId }) => postId), accountIds: found.map(({ accountId }) => accountId) };
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
    this.reblogs.removeAll(post.id);
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
    await this.rows.write(client);
    await this.young.write(client);
    await this.texts.write(client);
    await this.votes.write(client);
    await this.reblogs.write(client);
  }

  private async loadTexts(client: Queryable, { texts }: ReadSet, accounts: Accounts) {
    const textIds = this.idsOf(texts.values(), accounts);
    if (textIds.length > 0) this.texts.add(await findTexts(client, { ids: textIds }));
  }

  private async loadVotes(client: Queryable, readSet: ReadSet, accounts: Accounts) {
    const votes = readSet.votes.flatMap(({ voter, link }) => {
      const voterId = accounts.idOf(voter);
      const post = this.find(accounts.idOf(link.author), link.permlink);
      return voterId === undefined || post === undefined ? [] : [{ voterId, postId: post.id }];
    });
    if (votes.length === 0) return;
    const [postIds, voterIds] = [votes.map(({ postId }) => postId), votes.map(({ voterId }) => voterId)];
    this.votes.add(await findVotes(client, { postIds, voterIds }));
  }
}

/** Unambiguous, because the number contains no slash. */
function linkOf(authorId: number, permlink: string): string {
  return `${authorId}/${permlink}`;
}
