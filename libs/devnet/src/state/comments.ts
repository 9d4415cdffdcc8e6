import BTree from 'sorted-btree';
import { Asset, hbd } from './assets';
import { assertion } from '../errors';
import { type HiveTime } from '../time';

/** A post (depth 0) or a reply. Its author and permlink name it; its id is never reused. */
export interface Comment {
  readonly id: number;
  readonly author: string;
  readonly permlink: string;
  /** Empty for a post. */
  readonly parentAuthor: string;
  /** For a post, its category: a tag, or the name of a community. */
  readonly parentPermlink: string;
  readonly root: PostName;
  readonly category: string;
  readonly depth: number;
  readonly title: string;
  readonly body: string;
  readonly jsonMetadata: string;
  readonly created: HiveTime;
  readonly lastUpdate: HiveTime;
  /** Number of replies below it, at all depths. */
  readonly children: number;
  /** Sum over all votes; votes against it count negative. */
  readonly netRshares: bigint;
  readonly absRshares: bigint;
  /** The sum of the weights of its curators. */
  readonly totalVoteWeight: bigint;
  readonly payoutTime: HiveTime;
  /** The earnings of the comment; undefined before its payout. */
  readonly payout: Payout | undefined;
}

export type PostName = Pick<Comment, 'author' | 'permlink'>;

/** The default of Hive, above all payouts of the devnet. */
export const maxAcceptedPayout = hbd(1_000_000);

/** The payout of a comment, in HBD. */
export interface Payout {
  readonly author: Asset;
  readonly curators: Asset;
}

/** The posts and replies of a state. */
export class Comments {
  private byName = new BTree<string, Comment>();
  /** Names of replies, by the name of their parent, in the order of their ids. */
  private replies = new BTree<string, PostName>();
  /** Names of comments before their payout, in the order of their payouts. */
  private unpaid = new BTree<string, PostName>();
  private nextId = 0;

  copy(): Comments {
    const copy = new Comments();
    copy.byName = this.byName;
    copy.replies = this.replies;
    copy.unpaid = this.unpaid;
    copy.nextId = this.nextId;
    return copy;
  }

  /** Returns a comment; undefined if there is none. */
  find(author: string, permlink: string): Comment | undefined {
    return this.byName.get(nameKey({ author, permlink }));
  }

  /** Returns a comment. @throws NodeError if there is none */
  get(author: string, permlink: string): Comment {
    const comment = this.find(author, permlink);
    if (comment) return comment;
    throw assertion('comment != nullptr', 'unknown comment ${author}/${permlink}', { author, permlink });
  }

  /** @throws NodeError for a post, which has no parent. */
  getParent({ parentAuthor, parentPermlink }: Comment): Comment {
    return this.get(parentAuthor, parentPermlink);
  }

  /** Returns all comments in the order of their ids. */
  all(): Comment[] {
    return [...this.byName.values()].sort((a, b) => a.id - b.id);
  }

  /** The direct replies, in the order of their ids. */
  repliesTo(comment: PostName): Comment[] {
    const prefix = `${nameKey(comment)} `;
    return this.replies
      .getRange(prefix, `${prefix}\uffff`)
      .map(([, { author, permlink }]) => this.get(author, permlink));
  }

  /** Comments before their payout, the earliest payout first. */
  *toPay(): Generator<Comment> {
    for (const { author, permlink } of this.unpaid.values()) yield this.get(author, permlink);
  }

  add(comment: Omit<Comment, 'id'>): void {
    const added = { ...comment, id: this.nextId++ };
    const { author, permlink } = added;
    this.put(added);
    this.unpaid = this.unpaid.with(payoutKey(added), { author, permlink }, true);
    if (added.depth === 0) return;
    this.replies = this.replies.with(replyKey(added), { author, permlink }, true);
    this.countChildren(added, 1);
  }

  /** Stores a comment in place of the one with the same name, if any. */
  put(comment: Comment): void {
    this.byName = this.byName.with(nameKey(comment), comment, true);
    if (comment.payout) this.unpaid = this.unpaid.without(payoutKey(comment));
  }

  /** Removes a comment, which must have no replies. */
  remove(comment: Comment): void {
    this.byName = this.byName.without(nameKey(comment));
    this.unpaid = this.unpaid.without(payoutKey(comment));
    if (comment.depth === 0) return;
    this.replies = this.replies.without(replyKey(comment));
    this.countChildren(comment, -1);
  }

  /** Counts a reply in all comments above it, up to the post. */
  private countChildren(comment: Comment, count: number): void {
    for (let each = comment; each.depth > 0;) {
      const parent = this.getParent(each);
      this.put({ ...parent, children: parent.children + count });
      each = parent;
    }
  }
}

/** A space is in no name and no permlink. */
function nameKey({ author, permlink }: PostName): string {
  return `${author} ${permlink}`;
}

function replyKey({ parentAuthor, parentPermlink, id }: Comment): string {
  return `${nameKey({ author: parentAuthor, permlink: parentPermlink })} ${inOrder(id)}`;
}

function payoutKey({ payoutTime, id }: Comment): string {
  return `${payoutTime} ${inOrder(id)}`;
}

function inOrder(id: number): string {
  return String(id).padStart(10, '0');
}

/** Rshares per HBD. On Hive it depends on the reward fund and all votes of a fortnight; here it is fixed. */
export const rsharesPerHbd = 20_000_000_000n;

/** Returns what the votes would pay now, in HBD: nothing after the payout, or if negative votes prevail. */
export function pendingPayout({ netRshares, payout }: Comment): Asset {
  const isWorthNothing = payout !== undefined || netRshares < 0n;
  const rshares = isWorthNothing ? 0n : netRshares;
  return new Asset((rshares * 1000n) / rsharesPerHbd, 'HBD');
}

/** Splits what is pending: half for the curators, half for the author. */
export function computePayout(comment: Comment): Payout {
  const total = pendingPayout(comment).units;
  const curators = total / 2n;
  return { author: new Asset(total - curators, 'HBD'), curators: new Asset(curators, 'HBD') };
}
