import { Pool } from 'pg';
import { type ChangeEntry, type Entry, type EntryRange, type Position, type SeqRange } from '../../../src/log/entry';
import { type AccountSubscriptions, commitRetentionMs, LogStore } from '../../../src/log/log.store';

export const accounts = ['alice', 'bob', 'carol'];
/** Each account has its own stream beside them. The first account is a member of all from the start. */
export const conversations = ['c', 'd'];

/** The relation of an account to a conversation. */
export type Membership = 'none' | 'follower' | 'member';

/** What one transaction has appended, and the memberships after it by `membershipKey`. */
interface Commit {
  at: number;
  entries: readonly Entry[];
  memberships: ReadonlyMap<string, Membership>;
}

/**
 * The commits of all instances in order. A read sees the commits before its start, and returns or fails when the test
 * decides.
 */
export class RandomDatabase extends LogStore {
  override readonly maxEntries = 2;
  readonly commits: Commit[] = [];
  /** A millisecond passes with each commit. Cursors are good for a day. */
  private now = Date.now() - 12 * 60 * 60_000;
  private readonly reads: { succeed: () => void; fail: () => void }[] = [];

  constructor() {
    super(new Pool());
  }

  get completeUntil(): Date {
    return new Date(this.now);
  }

  /** The time of a commit, or of the next one. */
  timeOf(commit: number): Date {
    return new Date(this.commits[commit]?.at ?? this.now);
  }

  entriesOf(stream: string): Entry[] {
    return this.commits.flatMap(({ entries }) => entries.filter((entry) => entry.stream === stream));
  }

  membershipOf(account: string, conversation: string, afterCommits = this.commits.length): Membership {
    const after = this.commits[afterCommits - 1]?.memberships;
    return after?.get(membershipKey(account, conversation)) ?? (account === accounts[0] ? 'member' : 'none');
  }

  /** The conversations that an account is subscribed to. */
  conversationsOf(account: string): string[] {
    return conversations.filter((each) => this.membershipOf(account, each) !== 'none');
  }

  /** The commit log forgets everything. */
  passTime() {
    this.now += commitRetentionMs;
  }

  appendMessage(sender: string, conversation: string): readonly Entry[] {
    const seq = this.lastSeq(conversation) + 1;
    const message = { id: `m${seq}`, sender, recipient: null, content: '', sentAt: '' };
    return this.commit([{ stream: conversation, seq, message }]);
  }

  /** Appends in one transaction that an account becomes a member of conversations. */
  appendJoins(account: string, joined: readonly string[]): readonly Entry[] {
    const entries = joined.map((each) => {
      const isFollower = this.membershipOf(account, each) === 'follower';
      return this.change(each, { events: eventsFor(account), joins: isFollower ? [] : [account] });
    });
    const subscriptions = entries
      .filter(({ joins }) => joins.length > 0)
      .map(({ stream, seq }) => ({ conversation: stream, from: seq }));
    const own = subscriptions.length === 0 ? [] : [this.change(account, { subscriptions })];
    return this.commit([...own, ...entries], account, joined, 'member');
  }

  /** Appends that an account leaves a conversation, or follows it no longer. */
  appendLeave(account: string, conversation: string): readonly Entry[] {
    const entry = this.change(conversation, { events: eventsFor(account), leaves: [account] });
    return this.commit([entry], account, [conversation], 'none');
  }

  /** Appends to the stream of an account that it follows a conversation. */
  appendFollowing(account: string, conversation: string): readonly Entry[] {
    const subscriptions = [{ conversation, from: this.lastSeq(conversation) + 1 }];
    return this.commit([this.change(account, { subscriptions })], account, [conversation], 'follower');
  }

  appendToAccount(account: string): readonly Entry[] {
    return this.commit([this.change(account, { events: eventsFor(account) })]);
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
      conversations: this.conversationsOf(account).map((stream) => ({ stream, seq: this.lastSeq(stream) })),
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

  override findSubscribed(account: string, wanted: readonly Position[]): Promise<EntryRange[]> {
    return this.read(() =>
      wanted.flatMap(({ stream, seq }) => this.rangesOf(account, stream).flatMap((range) => from(seq, range))),
    );
  }

  /** The entries since an instant, as `CatchUpStore` returns them. */
  findSince(account: string, since: Date) {
    return this.read(() => {
      const recent = this.commits.filter(({ at }) => at >= since.getTime()).flatMap(({ entries }) => entries);
      const ranges = [account, ...conversations].flatMap((stream) =>
        this.rangesOf(account, stream).flatMap((range): EntryRange[] => {
          const seqs = recent.flatMap((entry) =>
            entry.stream === stream && entry.seq >= range.from && entry.seq <= range.to ? [entry.seq] : [],
          );
          const [first] = seqs;
          return first === undefined ? [] : [{ ...range, from: first, to: seqs.at(-1) ?? first }];
        }),
      );
      return { ranges, entries: 0 };
    });
  }

  /** The first entries of ranges, as `CatchUpStore` returns them. */
  findPage(ranges: readonly SeqRange[]): Promise<Entry[]> {
    return this.read(() => ranges.flatMap((range) => this.entriesBetween(range)).slice(0, this.maxEntries));
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

  /** The ranges of a stream that an account was or is subscribed to. */
  private rangesOf(account: string, stream: string): EntryRange[] {
    const to = this.lastSeq(stream);
    if (stream === account) return [{ stream, from: 1, to, hasLeft: false }];
    const ranges: EntryRange[] = [];
    let seq = 0;
    let began = this.membershipOf(account, stream, 0) === 'none' ? undefined : 1;
    for (const [n, { entries }] of this.commits.entries()) {
      const before = seq;
      seq = entries.findLast((entry) => entry.stream === stream)?.seq ?? seq;
      const isSubscribed = this.membershipOf(account, stream, n + 1) !== 'none';
      // Who joins receives the entry of the join; who follows the next one.
      if (isSubscribed) began ??= before + 1;
      else if (began !== undefined) {
        ranges.push({ stream, from: began, to: seq, hasLeft: true });
        began = undefined;
      }
    }
    return began === undefined ? ranges : [...ranges, { stream, from: began, to, hasLeft: false }];
  }

  private entriesBetween({ stream, from, to }: SeqRange): Entry[] {
    return this.entriesOf(stream).filter(({ seq }) => seq >= from && seq <= to);
  }

  private change(stream: string, changes: Partial<ChangeEntry>): ChangeEntry {
    const nothing = { events: [], joins: [], leaves: [], subscriptions: [] };
    return { ...nothing, ...changes, stream, seq: this.lastSeq(stream) + 1 };
  }

  /** Commits entries, with which an account becomes something to some conversations. */
  private commit(
    entries: readonly Entry[],
    account = '',
    changed: readonly string[] = [],
    to: Membership = 'none',
  ): readonly Entry[] {
    const memberships = new Map(this.commits.at(-1)?.memberships);
    for (const each of changed) memberships.set(membershipKey(account, each), to);
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

function from(seq: number, range: EntryRange): EntryRange[] {
  return range.to < seq || range.to < range.from ? [] : [{ ...range, from: Math.max(seq, range.from) }];
}

function membershipKey(account: string, conversation: string): string {
  return `${account} ${conversation}`;
}

function eventsFor(account: string): ChangeEntry['events'] {
  return [{ type: 'conversation-removed', payload: { id: '' }, to: [account] }];
}
