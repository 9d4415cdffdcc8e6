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

/**
 * The rows that the updates of a batch read. Names are those of the operations, which may not exist. Links are
 * keyed by `author/permlink`, since permlinks of posts have no slash.
 */
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
  /** Recipient (`one`) of a notification and its source (`other`), which the recipient may mute. */
  readonly muteChecks = new Map<string, Pair>();
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

  addAccount(name: string): void {
    if (mayBeOnChain(name)) this.accounts.add(name);
  }

  addPost(link: PostLink): void {
    this.addAccount(link.author);
    this.posts.set(`${link.author}/${link.permlink}`, link);
  }

  addText(link: PostLink): void {
    this.addPost(link);
    this.texts.set(`${link.author}/${link.permlink}`, link);
  }

  addFollow(follower: string, following: string): void {
    this.addPair(this.follows, follower, following);
  }

  addMuteList(follower: string, owner: string): void {
    this.addFollow(follower, owner);
    this.muteLists.push({ one: follower, other: owner });
  }

  addAllListsOf(follower: string): void {
    this.addAccount(follower);
    this.wholeLists.add(follower);
  }

  /** Whether the recipient of a notification mutes its source, itself or by a mute list that it follows. */
  addMuteCheck(recipient: string, source: string, time: Date): void {
    if (this.retention.createsNotifications(time)) this.addPair(this.muteChecks, recipient, source);
  }

  addVote(voter: string, link: PostLink): void {
    this.addAccount(voter);
    this.addPost(link);
    this.votes.push({ voter, link });
  }

  /** The reblog and the flag of a post by an account. */
  addPostAction(account: string, link: PostLink): void {
    this.addAccount(account);
    this.addPost(link);
    this.postActions.push({ account, link });
  }

  addMember(account: string): void {
    this.addAccount(account);
    this.members.add(account);
  }

  addCommunity(name: string): void {
    this.addAccount(name);
    this.communities.add(name);
  }

  addSubscription(account: string, community: string): void {
    this.addPair(this.subscriptions, account, community);
  }

  /** The accounts whose reputation may be the score of a notification: sources and possible subscribers. */
  scoredAccounts(): string[] {
    const sources = [...this.muteChecks.values()].map(({ other }) => other);
    const subscribers = [...this.subscriptions.values()].map(({ one }) => one);
    return [...new Set([...sources, ...subscribers])];
  }

  private addPair(pairs: Map<string, Pair>, one: string, other: string) {
    this.addAccount(one);
    this.addAccount(other);
    pairs.set(`${one} ${other}`, { one, other });
  }
}
