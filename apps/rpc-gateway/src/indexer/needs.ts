import { mayBeOnChain } from '../accounts/chain-name';

/** Two accounts, by their names. */
export interface Pair {
  readonly one: string;
  readonly other: string;
}

/** A post by its author and permlink. */
export interface PostLink {
  readonly author: string;
  readonly permlink: string;
}

/** What must be read before the effects of a batch can be applied. Names are taken as the operations say them. */
export class Needs {
  readonly accounts = new Set<string>();
  readonly posts = new Map<string, PostLink>();
  /** Posts whose text is asked for. */
  readonly texts = new Map<string, PostLink>();
  /** On which lists of one account the other is. */
  readonly follows = new Map<string, Pair>();
  /** Who (one) may begin to follow whose mute list (other). */
  readonly muteLists: Pair[] = [];
  /** All lists of these. */
  readonly wholeLists = new Set<string>();
  /** Who may be told of something (one), by whom (other). */
  readonly tellings = new Map<string, Pair>();
  /** Who may vote on which post. */
  readonly votes: { readonly voter: string; readonly link: PostLink }[] = [];
  /** Who may be reblogging or flagging which post. */
  readonly marks: { readonly account: string; readonly link: PostLink }[] = [];
  /** Accounts whose roles, and pending posts in communities, are asked for. */
  readonly members = new Set<string>();
  /** Communities whose team is asked for. */
  readonly communities = new Set<string>();
  /** Who may be subscribed (one) to what (other). */
  readonly subscriptions = new Map<string, Pair>();

  /** @param keptFrom what is older is not told, and so needs nothing */
  constructor(private readonly keptFrom: Date) {}

  /** Whether what happens at this time is told to anybody. */
  isTold(time: Date): boolean {
    return time >= this.keptFrom;
  }

  account(name: string): void {
    if (mayBeOnChain(name)) this.accounts.add(name);
  }

  post(link: PostLink): void {
    this.account(link.author);
    this.posts.set(`${link.author}/${link.permlink}`, link);
  }

  text(link: PostLink): void {
    this.post(link);
    this.texts.set(`${link.author}/${link.permlink}`, link);
  }

  follow(follower: string, following: string): void {
    this.pair(this.follows, follower, following);
  }

  muteList(follower: string, following: string): void {
    this.follow(follower, following);
    this.muteLists.push({ one: follower, other: following });
  }

  allListsOf(follower: string): void {
    this.account(follower);
    this.wholeLists.add(follower);
  }

  /** Whether the recipient may be told of what the source does. */
  telling(recipient: string, source: string, time: Date): void {
    if (this.isTold(time)) this.pair(this.tellings, recipient, source);
  }

  vote(voter: string, link: PostLink): void {
    this.account(voter);
    this.post(link);
    this.votes.push({ voter, link });
  }

  /** Whether the account has reblogged or flagged the post. */
  mark(account: string, link: PostLink): void {
    this.account(account);
    this.post(link);
    this.marks.push({ account, link });
  }

  member(account: string): void {
    this.account(account);
    this.members.add(account);
  }

  community(name: string): void {
    this.account(name);
    this.communities.add(name);
  }

  subscription(account: string, community: string): void {
    this.pair(this.subscriptions, account, community);
  }

  /** Whose reputation tells how much what they do may interest. */
  sources(): string[] {
    const tellers = [...this.tellings.values()].map(({ other }) => other);
    const subscribers = [...this.subscriptions.values()].map(({ one }) => one);
    return [...new Set([...tellers, ...subscribers])];
  }

  private pair(pairs: Map<string, Pair>, one: string, other: string) {
    this.account(one);
    this.account(other);
    pairs.set(`${one} ${other}`, { one, other });
  }
}
