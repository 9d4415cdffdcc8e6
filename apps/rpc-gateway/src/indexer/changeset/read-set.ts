import { mayBeOnChain } from './accounts';
import { type RetentionPeriod } from './retention-period';

/** A post by its author and permlink. */
export interface PostLink {
  readonly author: string;
  readonly permlink: string;
}

/** What an account does with a post. */
export interface PostAction {
  readonly account: string;
  readonly link: PostLink;
}

/**
 * The rows that the updates of a batch read, by the names in the operations: accounts and posts with these names need
 * not exist. Maps remove duplicates; their keys join the names, such as `author/permlink`.
 */
export class ReadSet {
  readonly accounts = new Set<string>();
  /** Accounts that texts mention. */
  readonly mentionedAccounts = new Set<string>();
  readonly posts = new Map<string, PostLink>();
  /** Posts and all that they reply to. */
  readonly threads = new Map<string, PostLink>();
  /** Posts with their contents and tags. */
  readonly edits = new Map<string, PostLink>();
  /** Posts with their texts. */
  readonly texts = new Map<string, PostLink>();
  /** Accounts that posts may newly mention. */
  readonly mentions: PostAction[] = [];
  /** Pairs of accounts: the lists of the follower that the other one is on are read. */
  readonly follows = new Map<string, { readonly follower: string; readonly following: string }>();
  /** Accounts that may follow a mute list in this batch. */
  readonly muteListFollowers = new Set<string>();
  /** By account, those that may ignore it in this batch. */
  readonly ignorers = new Map<string, string[]>();
  /** Followers that remove all accounts from some of their lists. */
  readonly resetters = new Set<string>();
  /** Notifications whose recipient may mute the source. */
  readonly muteChecks = new Map<string, { readonly recipient: string; readonly source: string }>();
  /** The votes of accounts on posts. */
  readonly votes = new Map<string, PostAction>();
  /** The reblogs and flags of posts by accounts. */
  readonly postActions: PostAction[] = [];
  /** Accounts whose roles and pending posts in communities are read. */
  readonly accountsWithRoles = new Set<string>();
  /** Communities with their teams. */
  readonly communities = new Set<string>();
  readonly subscriptions = new Map<string, { readonly account: string; readonly community: string }>();

  constructor(readonly retention: RetentionPeriod) {}

  addAccount(name: string): void {
    if (mayBeOnChain(name)) this.accounts.add(name);
  }

  addPost(link: PostLink): void {
    this.addAccount(link.author);
    this.posts.set(`${link.author}/${link.permlink}`, link);
  }

  /** A post and all that it replies to. */
  addThread(link: PostLink): void {
    this.addPost(link);
    this.threads.set(`${link.author}/${link.permlink}`, link);
  }

  /** A post with its contents and tags. */
  addEdit(link: PostLink): void {
    this.addPost(link);
    this.edits.set(`${link.author}/${link.permlink}`, link);
  }

  /** A post with its text. */
  addText(link: PostLink): void {
    this.addPost(link);
    this.texts.set(`${link.author}/${link.permlink}`, link);
  }

  /** The lists of the follower that the other account is on. */
  addFollow(follower: string, following: string): void {
    this.follows.set(this.addBoth(follower, following), { follower, following });
  }

  /** The same, if the follower may begin to follow the mute list of the owner. */
  addMuteList(follower: string, owner: string): void {
    this.addFollow(follower, owner);
    this.muteListFollowers.add(follower);
  }

  /** The same, if the follower may begin to ignore the other account. */
  addIgnored(follower: string, ignored: string): void {
    this.addFollow(follower, ignored);
    const ignorers = this.ignorers.get(ignored);
    if (ignorers) ignorers.push(follower);
    else this.ignorers.set(ignored, [follower]);
  }

  /** A follower that resets lists. */
  addReset(follower: string): void {
    this.addAccount(follower);
    this.resetters.add(follower);
  }

  /** Whether the recipient of a notification mutes its source, itself or by a mute list that it follows. */
  addMuteCheck(recipient: string, source: string, time: Date): void {
    if (!this.retention.createsNotifications(time)) return;
    this.muteChecks.set(this.addBoth(recipient, source), { recipient, source });
  }

  /** The mention of an account by a post, and whether that account mutes the author. */
  addMention(account: string, link: PostLink, time: Date): void {
    if (!this.retention.createsNotifications(time) || !mayBeOnChain(account)) return;
    this.mentionedAccounts.add(account);
    this.mentions.push({ account, link });
    this.muteChecks.set(`${account} ${link.author}`, { recipient: account, source: link.author });
  }

  /** The vote of an account on a post. */
  addVote(voter: string, link: PostLink): void {
    this.addAccount(voter);
    this.addPost(link);
    this.votes.set(`${voter} ${link.author}/${link.permlink}`, { account: voter, link });
  }

  /** The reblog and the flag of a post by an account. */
  addPostAction(account: string, link: PostLink): void {
    this.addAccount(account);
    this.addPost(link);
    this.postActions.push({ account, link });
  }

  /** The roles and pending posts of an account in communities. */
  addRolesOf(account: string): void {
    this.addAccount(account);
    this.accountsWithRoles.add(account);
  }

  /** A community with its team. */
  addCommunity(name: string): void {
    this.addAccount(name);
    this.communities.add(name);
  }

  /** The subscription of an account to a community. */
  addSubscription(account: string, community: string): void {
    this.subscriptions.set(this.addBoth(account, community), { account, community });
  }

  /** The accounts whose reputation may be the score of a notification: sources and possible subscribers. */
  scoredAccounts(): string[] {
    const sources = [...this.muteChecks.values()].map(({ source }) => source);
    const subscribers = [...this.subscriptions.values()].map(({ account }) => account);
    return [...new Set([...sources, ...subscribers])];
  }

  /** Adds two accounts. @returns a key of the two */
  private addBoth(one: string, other: string): string {
    this.addAccount(one);
    this.addAccount(other);
    return `${one} ${other}`;
  }
}
