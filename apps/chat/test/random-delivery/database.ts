import { Pool } from 'pg';
import { type ChangeEntry, type Entry, membershipChangesOf, type Subscription } from '../../src/log/entry';
import { type AccountSubscriptions, commitLogMs, LogStore, type Position } from '../../src/log/log.store';

export const accounts = ['alice', 'bob', 'carol'];
/** The conversation of all of them; each account has its own stream beside it. The first account is a member from the start. */
export const conversation = 'c';

/** What an account is to the conversation. */
export type Membership = 'none' | 'follower' | 'member';

/** What one transaction has appended, and the memberships after it. */
interface Commit {
  at: number;
  entries: readonly Entry[];
  memberships: ReadonlyMap<string, Membership>;
}

/** A change of the conversation, and of what an account is to it. */
export interface Change {
  events?: ChangeEntry['events'];
  account?: string;
  to?: Membership;
}

/** What all instances commit, in commit order. A read sees what is committed when it begins, and returns or fails when the test says so. */
export class RandomDatabase extends LogStore {
  override readonly maxEntries = 2;
  readonly commits: Commit[] = [];
  /** A millisecond passes with each commit. */
  private now = 0;
  private readonly reads: { succeed: () => void; fail: () => void }[] = [];

  constructor() {
    super(new Pool());
  }

  get completeUntil(): Date {
    return new Date(this.now);
  }

  entriesOf(stream: string): Entry[] {
    return this.commits.flatMap(({ entries }) => entries.filter((entry) => entry.stream === stream));
  }

  membershipOf(account: string, afterCommits = this.commits.length): Membership {
    const after = this.commits[afterCommits - 1];
    return after?.memberships.get(account) ?? (account === accounts[0] ? 'member' : 'none');
  }

  /** The commit log forgets everything. */
  passTime() {
    this.now += commitLogMs;
  }

  appendMessage(sender: string): readonly Entry[] {
    const seq = this.lastSeq(conversation) + 1;
    const message = { id: `m${seq}`, sender, recipient: null, content: '', sentAt: '' };
    return this.commit([{ stream: conversation, seq, message }]);
  }

  /** Appends a change of the conversation by which an account becomes a member or leaves, if it names one. */
  appendChange({ events = [], account, to }: Change): readonly Entry[] {
    const seq = this.lastSeq(conversation) + 1;
    const from = account === undefined ? undefined : this.membershipOf(account);
    const joins = account !== undefined && to === 'member' && from === 'none' ? [account] : [];
    const leaves = account !== undefined && to === 'none' ? [account] : [];
    const entry = { stream: conversation, seq, events, joins, leaves, subscriptions: [] };
    const ofAccounts = joins.map((each) => this.accountEntry(each, [{ conversation, from: seq }]));
    return this.commit([...ofAccounts, entry], account, to);
  }

  /** Appends to the stream of an account that it follows the conversation. */
  appendFollowing(account: string): readonly Entry[] {
    const subscription = { conversation, from: this.lastSeq(conversation) + 1 };
    return this.commit([this.accountEntry(account, [subscription])], account, 'follower');
  }

  appendToAccount(account: string, events: ChangeEntry['events']): readonly Entry[] {
    return this.commit([{ ...this.accountEntry(account, []), events }]);
  }

  lastSeq(stream: string): number {
    return this.entriesOf(stream).at(-1)?.seq ?? 0;
  }

  /** @returns whether a read was running */
  settle(which: number, how: 'succeed' | 'fail'): boolean {
    const [read] = this.reads.splice(which % Math.max(1, this.reads.length), 1);
    read?.[how]();
    return read !== undefined;
  }

  override findSubscriptions(account: string): Promise<AccountSubscriptions> {
    return this.read(() => ({
      accountSeq: this.lastSeq(account),
      conversations:
        this.membershipOf(account) === 'none' ? [] : [{ stream: conversation, seq: this.lastSeq(conversation) }],
    }));
  }

  override findEntries(after: readonly Position[]): Promise<Entry[]> {
    return this.read(() =>
      after.flatMap(({ stream, seq }) =>
        this.entriesOf(stream)
          .filter((entry) => entry.seq > seq)
          .slice(0, this.maxEntries),
      ),
    );
  }

  override findLeaves(account: string, { stream, from, to }: { stream: string; from: number; to: number }) {
    return this.read(() =>
      this.entriesOf(stream)
        .filter((entry) => entry.seq >= from && entry.seq <= to && membershipChangesOf(entry).leaves.includes(account))
        .map(({ seq }) => seq),
    );
  }

  override findLastSeqs(streams: readonly string[]): Promise<Position[]> {
    return this.read(() => streams.map((stream) => ({ stream, seq: this.lastSeq(stream) })));
  }

  override findCompleteUntil(): Promise<Date> {
    return this.read(() => this.completeUntil);
  }

  override findCommits(since: Date): Promise<Position[]> {
    return this.read(() =>
      this.commits
        .filter(({ at }) => at >= since.getTime())
        .flatMap(({ entries }) => entries.map(({ stream, seq }) => ({ stream, seq }))),
    );
  }

  private accountEntry(account: string, subscriptions: readonly Subscription[]): ChangeEntry {
    return { stream: account, seq: this.lastSeq(account) + 1, events: [], joins: [], leaves: [], subscriptions };
  }

  private commit(entries: readonly Entry[], account?: string, to?: Membership): readonly Entry[] {
    const memberships = new Map(accounts.map((each) => [each, this.membershipOf(each)]));
    if (account !== undefined && to !== undefined) memberships.set(account, to);
    this.commits.push({ at: this.now, entries, memberships });
    this.now += 1;
    return entries;
  }

  private read<T>(read: () => T): Promise<T> {
    const value = read();
    return new Promise((resolve, reject) => {
      this.reads.push({
        succeed: () => {
          resolve(value);
        },
        fail: () => {
          reject(new Error('Connection terminated'));
        },
      });
    });
  }
}
