import { type Client } from 'pg';

export interface ModelPost {
  readonly id: number;
  readonly parentId: number | null;
  readonly rootId: number;
  readonly author: string;
  readonly parentAuthor: string | null;
  readonly permlink: string;
  readonly depth: number;
  readonly community: string | null;
  readonly category: string | null;
  readonly mutedReasons: number;
  readonly isPinned: boolean;
  readonly isGray: boolean;
  readonly hasMutedRole: boolean;
  readonly tags: readonly string[];
  /** Of an unpaid post. */
  readonly rank: {
    readonly trend: number;
    readonly hot: number;
    readonly payout: number;
    readonly created: Date;
  } | null;
}

interface BlogEntry {
  readonly account: string;
  readonly postId: number;
  readonly createdMs: number;
  readonly isReblog: boolean;
}

export interface RankedOptions {
  readonly tag: string;
  readonly observer: string;
  readonly reasons: readonly number[];
}

type Key = (post: ModelPost) => number;

/** The rows of an index in memory: sorts and filters them as the lists should. */
export class PostModel {
  private constructor(
    /** In the order of their ids. */
    readonly posts: readonly ModelPost[],
    readonly accounts: readonly string[],
    private readonly lists: ReadonlyMap<string, number>,
    private readonly entries: readonly BlogEntry[],
    private readonly subscriptions: ReadonlySet<string>,
    private readonly headMs: number,
  ) {}

  static async read(client: Client): Promise<PostModel> {
    const rows = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
    const posts = await rows<ModelPost>(`
      SELECT p.id::int AS id, p.parent_id::int AS "parentId", p.root_id::int AS "rootId", a.name AS author,
        pa.name AS "parentAuthor", p.permlink, p.depth, ca.name AS community, rc.category, p.muted_reasons AS "mutedReasons",
        p.is_pinned AS "isPinned", coalesce(a.reputation, 0) <= -464800000000 AS "isGray",
        coalesce(role.role, 0) = -2 AS "hasMutedRole",
        ARRAY(SELECT t.tag FROM post_tag t WHERE t.post_id = p.id) AS tags,
        CASE WHEN r.post_id IS NOT NULL THEN
          json_build_object('trend', r.trend, 'hot', r.hot, 'payout', r.payout) END AS rank
      FROM post p JOIN account a ON a.id = p.author_id LEFT JOIN account pa ON pa.id = p.parent_author_id
        LEFT JOIN account ca ON ca.id = p.community_id LEFT JOIN post_content rc ON rc.post_id = p.root_id
        LEFT JOIN community_role role ON role.community_id = p.community_id AND role.account_id = p.author_id
        LEFT JOIN ranked_post r ON r.post_id = p.id
      WHERE NOT p.is_deleted ORDER BY p.id`);
    const follows = await rows<{ follower: string; following: string; lists: number }>(`
      SELECT a.name AS follower, b.name AS following, f.lists
      FROM follow f JOIN account a ON a.id = f.follower_id JOIN account b ON b.id = f.following_id`);
    const entries = await rows<BlogEntry & { created: Date }>(`
      SELECT a.name AS account, e.post_id::int AS "postId", e.created, e.is_reblog AS "isReblog"
      FROM blog_entry e JOIN account a ON a.id = e.account_id ORDER BY e.account_id`);
    const subscriptions = await rows<{ account: string; community: string }>(`
      SELECT a.name AS account, c.name AS community
      FROM subscription s JOIN account a ON a.id = s.account_id JOIN account c ON c.id = s.community_id`);
    const accounts = await rows<{ name: string }>('SELECT name FROM account ORDER BY id');
    const [head] = await rows<{ time: Date }>('SELECT max(block_time) AS time FROM chain_checkpoint');
    return new PostModel(
      posts,
      accounts.map(({ name }) => name),
      new Map(follows.map(({ follower, following, lists }) => [`${follower} ${following}`, lists])),
      entries.map(({ created, ...entry }) => ({ ...entry, createdMs: created.getTime() })),
      new Set(subscriptions.map(({ account, community }) => `${account} ${community}`)),
      head?.time.getTime() ?? 0,
    );
  }

  /** @param sort as of `bridge.get_ranked_posts` */
  ranked(sort: string, { tag, observer, reasons }: RankedOptions): ModelPost[] {
    const isCommunity = tag.startsWith('hive-');
    const isIn = (post: ModelPost) => {
      if (tag === '') return true;
      if (isCommunity) return post.community === tag;
      if (tag === 'my') return post.community !== null && this.subscriptions.has(`${observer} ${post.community}`);
      return sort.startsWith('payout') ? post.category === tag : post.tags.includes(tag);
    };
    const isPost = ({ depth }: ModelPost) => depth === 0;
    const mixes = sort === 'payout_comments' || tag === '' || (tag !== 'my' && !isCommunity);
    const rules: Record<string, [where: (post: ModelPost) => boolean, key: Key]> = {
      trending: [(post) => isPost(post) && post.rank !== null, ({ rank }) => rank?.trend ?? 0],
      hot: [(post) => isPost(post) && post.rank !== null, ({ rank }) => rank?.hot ?? 0],
      created: [(post) => isPost(post) && (isCommunity || !post.isGray), () => 0],
      // No post of a history of some hours is paid so soon.
      payout: [() => false, () => 0],
      payout_comments: [(post) => !isPost(post) && post.rank !== null, ({ rank }) => rank?.payout ?? 0],
      muted: [({ rank, isGray }) => isGray && (rank?.payout ?? 0) > 0, ({ rank }) => rank?.payout ?? 0],
    };
    const [where, key] = rules[sort] ?? [() => false, () => 0];
    const isShown = (post: ModelPost) =>
      (mixes || isPost(post)) &&
      !this.hasReason(post, reasons) &&
      (sort === 'muted' || !this.mutes(observer, post.author));
    const listed = sorted(
      this.posts.filter((post) => where(post) && isIn(post) && isShown(post)),
      key,
    );
    if (!isCommunity || (sort !== 'trending' && sort !== 'created')) return listed;
    const pinned = this.posts.filter((post) => post.isPinned && isIn(post) && !this.hasReason(post, reasons));
    const first = sorted(
      pinned.filter(({ author }) => !this.mutes(observer, author)),
      () => 0,
    );
    return [...first, ...listed.filter(({ isPinned }) => !isPinned)];
  }

  /** @param sort as of `bridge.get_account_posts`, or `full_blog` */
  ofAccount(sort: string, { account, observer }: { account: string; observer: string }): ModelPost[] {
    const own = (where: (post: ModelPost) => boolean) =>
      sorted(
        this.posts.filter((post) => where(post)),
        () => 0,
      );
    switch (sort) {
      case 'posts':
        return own(({ author, depth }) => author === account && depth === 0);
      case 'comments':
        return own(({ author, depth }) => author === account && depth > 0);
      case 'replies':
        return own(({ parentAuthor, author }) => parentAuthor === account && !this.mutes(observer, author));
      case 'payout': {
        const unpaid = this.posts.filter(({ author, rank }) => author === account && rank !== null);
        return sorted(
          unpaid,
          ({ rank }) => rank?.payout ?? 0,
          ({ depth }) => depth,
        );
      }
      case 'feed': {
        const isFollowed = ({ account: blog, createdMs }: BlogEntry) =>
          (this.listsOf(account, blog) & 1) > 0 &&
          !this.mutes(observer, blog) &&
          createdMs > this.headMs - 28 * 86_400_000;
        const first = new Map<number, number>();
        for (const { postId, createdMs } of this.entries.filter((entry) => isFollowed(entry)))
          first.set(postId, Math.min(createdMs, first.get(postId) ?? Infinity));
        return sorted(
          this.posts.filter(({ id }) => first.has(id)),
          ({ id }) => first.get(id) ?? 0,
        );
      }
      default: {
        const mine = new Map(
          this.entries.filter((entry) => entry.account === account).map((entry) => [entry.postId, entry]),
        );
        const isListed = ({ id, community }: ModelPost) =>
          mine.has(id) && (sort === 'full_blog' || community === null || mine.get(id)?.isReblog === true);
        return sorted(
          this.posts.filter((post) => isListed(post)),
          ({ id }) => mine.get(id)?.createdMs ?? 0,
        );
      }
    }
  }

  discussion(start: ModelPost, observer: string): ModelPost[] {
    if (this.mutes(observer, start.author)) return [];
    const replies = this.posts.filter(({ parentId }) => parentId === start.id);
    return [start, ...replies.flatMap((reply) => this.discussion(reply, observer))];
  }

  private listsOf(account: string, other: string): number {
    return this.lists.get(`${account} ${other}`) ?? 0;
  }

  /** Whether an observer, or an account whose mute list it follows, has muted an account. */
  private mutes(observer: string, account: string): boolean {
    const lists = this.accounts.filter((name) => name === observer || (this.listsOf(observer, name) & 16) > 0);
    return lists.some((name) => (this.listsOf(name, account) & 2) > 0);
  }

  private hasReason(post: ModelPost, reasons: readonly number[]): boolean {
    return reasons.some(
      (reason) =>
        (reason < 3 && (post.mutedReasons & (1 << reason)) > 0) ||
        (reason === 3 && post.isGray) ||
        (reason === 4 && post.hasMutedRole),
    );
  }
}

/** Highest keys first, then the newest. */
function sorted(posts: readonly ModelPost[], ...keys: readonly Key[]): ModelPost[] {
  return posts.toSorted((one, other) => {
    for (const key of keys) if (key(one) !== key(other)) return key(other) - key(one);
    return other.id - one.id;
  });
}
