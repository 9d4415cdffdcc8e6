import { Inject, Injectable } from '@nestjs/common';
import { type ServerPayload } from '@waggle/contracts';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { acknowledgmentsSince, entriesSince, pageOfRanges, receiptsSince } from './catch-up.statements';
import { withCurrentTexts } from './current-texts';
import { type Entry, type EntryRange, type SeqRange } from './entry';
import { toEntry } from './entry-row';

/** The entries of an account since an instant. */
interface EntriesOfAccount {
  /** One for each subscription. An account that left a conversation and rejoined has several, the last one first. */
  ranges: readonly EntryRange[];
  /** Number of entries in the ranges, without deleted ones. */
  entries: number;
}

/** How far an account has read a conversation. */
export interface AcknowledgedConversation {
  /** The acknowledged sequence number. */
  seq: number;
  position: ServerPayload<'read-position'>;
  /** Unread mentions of the account. */
  mentionCount: number;
  /** Whether messages that were there when it was acknowledged are unread. */
  isPartial: boolean;
}

/** Reads what connections that are behind catch up with. */
@Injectable()
export class CatchUpStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Returns the entries since an instant, as ranges of the streams that the account was subscribed to.
   *
   * @param limit if there are more entries, or more than `maxLeaves` of one conversation, which of them are returned is
   * unspecified
   */
  async findSince(account: string, since: Date, limit: number): Promise<EntriesOfAccount> {
    const rows = await entriesSince.query(this.pool, { account, since, limit });
    const ranges = new Map<string, EntryRange>();
    for (const { stream, after, seq, has_left } of rows) {
      // Identifies the subscription. Its rows are in ascending order, so the first and the last one are the range.
      const key = `${after} ${stream}`;
      const to = Number(seq);
      ranges.set(key, { stream, from: ranges.get(key)?.from ?? to, to, hasLeft: has_left });
    }
    return { ranges: [...ranges.values()], entries: rows.length };
  }

  /**
   * Returns the first entries of ranges, in the given order: at least one, and no further ones after their texts have
   * `maxBytes` bytes. Those that are gone are left out.
   *
   * @param ranges that do not overlap, in ascending order within each stream
   */
  async findPage(ranges: readonly SeqRange[], maxBytes: number): Promise<Entry[]> {
    const rows = await pageOfRanges.query(this.pool, {
      streams: ranges.map(({ stream }) => stream),
      firsts: ranges.map(({ from }) => from),
      lasts: ranges.map(({ to }) => to),
      maxEntries: Math.max(...ranges.map(({ from, to }) => to - from + 1)),
      maxBytes,
    });
    return withCurrentTexts(this.pool, rows.map(toEntry));
  }

  /**
   * Returns how far the account has read the conversations that it has acknowledged since an instant, on any device.
   *
   * @param limit if there are more, any of them are returned
   */
  async findAcknowledged(account: string, since: Date, limit: number): Promise<AcknowledgedConversation[]> {
    const rows = await acknowledgmentsSince.query(this.pool, { account, since, limit });
    return rows.map(({ is_partial: isPartial, acknowledged_seq, mention_count: mentionCount, ...row }) => ({
      seq: Number(acknowledged_seq),
      position: { ...row, read_seq: Number(row.read_seq), last_seq: Number(row.last_seq) },
      mentionCount,
      isPartial,
    }));
  }

  /**
   * Returns how far the other accounts of the account's dms have read since an instant, without dms where one blocks
   * the other.
   *
   * @param page in ascending order of the dm's id: the dms after one id, which is empty for the first page
   */
  async findReceipts(
    account: string,
    since: Date,
    page: { after: string; limit: number },
  ): Promise<{ conversation_id: string; username: string; seq: number }[]> {
    const rows = await receiptsSince.query(this.pool, { account, since, ...page });
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  }
}
