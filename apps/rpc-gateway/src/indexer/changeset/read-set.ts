import { mayBeOnChain } from '../../accounts/chain-name';
import { type RetentionPeriod } from './retention-period';

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

/** The rows that the updates of a batch read. Names are those of the operations, which may not exist. */
export class ReadSet {
  readonly accounts = new Set<string>();
  readonly posts = new Map<string, PostLink>();
  /** Posts with their texts and mentions. */
  readonly texts = new Map<string, PostLink>();
  /** Follower (`one`) and account on its lists (`other`). */
  readonly follows = new Map<string, Pair>();
  /** Follower (`one`) and owner (`other`) of a mute list. */
  readonly muteLists: Pair[] = [];
  /** Accounts of which all lists are read. */
  readonly wholeLists = new Set<string>();
  /** Recipient (`one`) and source (`other`) of a notification. */
  readonly notifications = new Map<string, Pair>();
  readonly votes: { readonly voter: string; readonly link: PostLink }[] = [];
  /** Reblogs and flags. */
  readonly postActions: { readonly account: string; readonly link: PostLink }[] = [];
  /** Accounts with their roles and pending posts in communities. */
  readonly members = new Set<string>();
  /** Communities with their teams. */
  readonly communities = new Set<string>();
  /** Account (`one`) and community (`other`). */
  readonly subscriptions = new Map<string, Pair>();

  constructor(readonly retention: RetentionPeriod) {}

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

  /** What decides whether the recipient gets a notification about the source. */
  notification(recipient: string, source: string, time: Date): void {
    if (this.retention.createsNotifications(time)) this.pair(this.notifications, recipient, source);
  }

  vote(voter: string, link: PostLink): void {
    this.account(voter);
    this.post(link);
    this.votes.push({ voter, link });
  }

  /** The reblog and the flag of a post by an account. */
  postAction(account: string, link: PostLink): void {
    this.account(account);
    this.post(link);
    this.postActions.push({ account, link });
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

  /** The accounts whose reputation is the score of a notification. */
  sources(): string[] {
    const sources = [...this.notifications.values()].map(({ other }) => other);
    const subscribers = [...this.subscriptions.values()].map(({ one }) => one);
    return [...new Set([...sources, ...subscribers])];
  }

  private pair(pairs: Map<string, Pair>, one: string, other: string) {
    this.account(one);
    this.account(other);
    pairs.set(`${one} ${other}`, { one, other });
  }
}
