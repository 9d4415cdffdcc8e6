import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { withCurrentTexts } from './current-texts';
import { type Entry, type EntryRange, type Position } from './entry';
import { toEntry } from './entry-row';
import {
  commitsCompleteUntil,
  commitsSince,
  entriesOfStreams,
  lastSeqs,
  subscribedRanges,
  subscriptionsOfAccount,
} from './log.statements';

/** What an account is subscribed to, as of one snapshot of the database. */
export interface AccountSubscriptions {
  /**
   * The last sequence number of the account's own stream that these subscriptions include; later entries may change
   * them.
   */
  accountSeq: number;
  /** The conversations, with their last sequence numbers. */
  conversations: Position[];
}

/** Time that `commit_log` keeps a commit, in milliseconds. */
export const commitRetentionMs = 10 * 60_000;

/**
 * Reads what live delivery needs of the log: entries, subscriptions and recent commits. `CatchUpStore` reads what a
 * client missed.
 */
@Injectable()
export class LogStore {
  /**
   * Maximum number of entries of one stream that `findEntries` returns by default; if it returns fewer, the stream has
   * no others.
   */
  readonly maxEntries: number = 500;

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Returns what an account is subscribed to. */
  async findSubscriptions(account: string): Promise<AccountSubscriptions> {
    const rows = await subscriptionsOfAccount.query(this.pool, { account });
    const conversations = rows.flatMap(({ stream, last_seq }) =>
      stream === null ? [] : [{ stream, seq: Number(last_seq) }],
    );
    return { accountSeq: Number(rows.find(({ stream }) => stream === null)?.last_seq ?? 0), conversations };
  }

  /** Returns the next entries of each stream after a sequence number, in order: at most `limit` of each. */
  async findEntries(after: readonly Position[], limit = this.maxEntries): Promise<Entry[]> {
    const rows = await entriesOfStreams.query(this.pool, {
      streams: after.map(({ stream }) => stream),
      after: after.map(({ seq }) => seq),
      limit,
    });
    return withCurrentTexts(this.pool, rows.map(toEntry));
  }

  /**
   * Returns what an account may receive of streams from the given sequence numbers on: a range for each time that it
   * was subscribed, in ascending order. The range of a subscription that has not ended ends with the last entry.
   */
  async findSubscribed(account: string, wanted: readonly Position[]): Promise<EntryRange[]> {
    const firsts = new Map(wanted.map(({ stream, seq }) => [stream, seq]));
    const rows = await subscribedRanges.query(this.pool, {
      account,
      streams: [...firsts.keys()],
      firsts: [...firsts.values()],
    });
    return rows
      .map(({ stream, from, to, has_left: hasLeft }) => {
        return { stream, from: Math.max(Number(from), firsts.get(stream) ?? 0), to: Number(to), hasLeft };
      })
      .filter(({ from, to }) => from <= to);
  }

  /** Returns the last sequence number of each stream, which is an account or a conversation; 0 if it has no entries. */
  async findLastSeqs(streams: readonly string[]): Promise<Position[]> {
    const rows = await lastSeqs.query(this.pool, { streams });
    return rows.map(toPosition);
  }

  /**
   * Statements that begin from now on see every commit logged before the returned instant: just before the oldest
   * running transaction of the chat began, or before now if none is older.
   */
  async findCompleteUntil(): Promise<Date> {
    const completeUntil = (await commitsCompleteUntil.find(this.pool, {}))?.complete_until;
    if (completeUntil === undefined) throw new Error('an aggregate returned no row');
    return completeUntil;
  }

  /**
   * Returns the last sequence number of each stream that has grown since an instant at most `commitRetentionMs` ago.
   */
  async findCommits(since: Date): Promise<Position[]> {
    const rows = await commitsSince.query(this.pool, { since });
    return rows.map(toPosition);
  }
}

function toPosition({ stream, last_seq }: { stream: string; last_seq: string }): Position {
  return { stream, seq: Number(last_seq) };
}
