import { Pool } from 'pg';
import { type ChangeEntry, type Entry } from '../../src/streams/entry';
import {
  commitsKeptMs,
  StreamsStore,
  type Commits,
  type Hearing,
  type Standing,
} from '../../src/streams/streams.store';

export const accounts = ['alice', 'bob', 'carol'];
/** Of them all, where they are in it; beside it each has the stream of its own account. The first of them is in it from the start. */
export const conversation = 'c';

/** What was committed: an entry, or that an account follows the conversation or does so no more, of which no entry says anything. */
type Commit =
  | { at: number; entry: Entry; newMembers: readonly string[] }
  | { at: number; account: string; follows: boolean; after: number };

/** What an account is to the conversation after a commit. */
export interface Membership {
  hears: boolean;
  /** Whether it hears it without being a member. */
  follows: boolean;
  joinedSeq: number;
  leftSeq: number;
}

/** What all instances commit, in its order. What is asked is read at once, and answered or refused when the test says so. */
export class RandomDatabase extends StreamsStore {
  override readonly entriesMost = 2;
  private readonly commits: Commit[] = [];
  /** By its clock a millisecond goes by with each commit. */
  private now = 0;
  private readonly underWay: { answer: () => void; refuse: () => void }[] = [];

  constructor() {
    super(new Pool());
  }

  /** How much was committed so far. */
  get size(): number {
    return this.commits.length;
  }

  get completeUntil(): Date {
    return new Date(this.now);
  }

  entries(): Entry[] {
    return this.commits.flatMap((commit) => ('entry' in commit ? [commit.entry] : []));
  }

  /** After so long nothing is noted any more of what was committed. */
  passTime() {
    this.now += commitsKeptMs;
  }

  /** @param newMembers by this entry, also those who have heard it all the time since they followed it */
  append(stream: string, of: (seq: number) => Entry, newMembers: readonly string[] = []): Entry {
    const entry = of(this.lastSeq(stream) + 1);
    this.commits.push({ at: this.tick(), entry, newMembers });
    return entry;
  }

  setFollows(account: string, follows: boolean) {
    this.commits.push({ at: this.tick(), account, follows, after: this.lastSeq(conversation) });
  }

  membershipOf(account: string): Membership {
    return this.historyOf(account).at(-1)?.after ?? atFirst(account);
  }

  /** Each commit, and what the account was to the conversation before it and is after it. */
  historyOf(account: string): { commit: Commit; before: Membership; after: Membership }[] {
    let before = atFirst(account);
    return this.commits.map((commit) => {
      const step = { commit, before, after: membershipAfter(commit, account, before) };
      before = step.after;
      return step;
    });
  }

  lastSeq(stream: string): number {
    return this.entries().findLast((entry) => entry.stream === stream)?.seq ?? 0;
  }

  /** @returns whether something was under way */
  settle(which: number, how: 'answer' | 'refuse'): boolean {
    const [asked] = this.underWay.splice(which % Math.max(1, this.underWay.length), 1);
    asked?.[how]();
    return asked !== undefined;
  }

  override findHearings(wanted: readonly string[]): Promise<Hearing[]> {
    return this.ask(() =>
      wanted.flatMap((account) => [
        ...[this.standing(account, conversation)].filter(({ hears }) => hears),
        { account, stream: account, lastSeq: this.lastSeq(account), joinedSeq: 0 },
      ]),
    );
  }

  override findHearingsOf(pairs: readonly { account: string; stream: string }[]): Promise<Standing[]> {
    return this.ask(() => pairs.map(({ account, stream }) => this.standing(account, stream)));
  }

  override findEntries(wanted: readonly { stream: string; after: number }[]): Promise<Entry[]> {
    return this.ask(() =>
      wanted.flatMap(({ stream, after }) =>
        this.entries()
          .filter((entry) => entry.stream === stream && entry.seq > after)
          .slice(0, this.entriesMost),
      ),
    );
  }

  override findCompleteUntil(): Promise<Date> {
    return this.ask(() => this.completeUntil);
  }

  override findCommits(since: Date): Promise<Commits> {
    return this.ask(() => {
      const commits: Commits = { places: [], looks: [] };
      for (const commit of this.commits.filter(({ at }) => at >= since.getTime())) {
        if ('entry' in commit) {
          const { stream, seq } = commit.entry;
          commits.places.push({ stream, seq });
          const { joins } = 'told' in commit.entry ? commit.entry : noChange;
          for (const account of joins) commits.looks.push({ account, stream, again: false });
        } else commits.looks.push({ account: commit.account, stream: conversation, again: true });
      }
      return commits;
    });
  }

  private tick(): number {
    this.now += 1;
    return this.now - 1;
  }

  /** As the statement answers, which knows conversations alone. */
  private standing(account: string, stream: string): Standing {
    const nothing = { hears: false, joinedSeq: 0, leftSeq: 0 };
    const { hears, joinedSeq, leftSeq } = stream === conversation ? this.membershipOf(account) : nothing;
    return { account, stream, lastSeq: this.lastSeq(stream), hears, joinedSeq, leftSeq };
  }

  private ask<T>(read: () => T): Promise<T> {
    const value = read();
    return new Promise((resolve, reject) => {
      this.underWay.push({
        answer: () => {
          resolve(value);
        },
        refuse: () => {
          reject(new Error('Connection terminated'));
        },
      });
    });
  }
}

const noChange: Pick<ChangeEntry, 'joins' | 'leaves'> = { joins: [], leaves: [] };

function atFirst(account: string): Membership {
  return { hears: account === accounts[0], follows: false, joinedSeq: 0, leftSeq: 0 };
}

function membershipAfter(commit: Commit, account: string, before: Membership): Membership {
  if (!('entry' in commit)) {
    if (commit.account !== account) return before;
    const { follows, after } = commit;
    return { ...before, hears: follows, follows, joinedSeq: follows ? after : before.joinedSeq };
  }
  const { entry, newMembers } = commit;
  const { joins, leaves } = 'told' in entry ? entry : noChange;
  if (leaves.includes(account)) return { ...before, hears: false, follows: false, leftSeq: entry.seq };
  if (!newMembers.includes(account)) return before;
  return {
    hears: true,
    follows: false,
    joinedSeq: joins.includes(account) ? entry.seq - 1 : before.joinedSeq,
    leftSeq: 0,
  };
}
