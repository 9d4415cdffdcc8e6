import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { type Entry } from './entry';
import { toEntry, type EntryRow } from './streams.store';

/** What happened while somebody was away. */
@Injectable()
export class MissedStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * The entries since an instant that the account hears or heard when they were made, those of each stream in order; where
   * there are more than `most`, any so many of them.
   */
  async findEntries(account: string, since: Date, most: number): Promise<Entry[]> {
    const { rows } = await this.pool.query<EntryRow>({
      name: 'missed-entries',
      // The limit stands within the sort, so that nothing more is read where it is reached.
      text: `
        WITH heard AS (
          SELECT m.conversation_id AS stream, m.joined_seq AS after, coalesce(m.left_seq, 'infinity'::float8) AS until
          FROM member m
          WHERE m.account = $1 AND (m.standing = 'member' OR m.followed_at IS NOT NULL OR m.left_at >= $2)
          UNION ALL SELECT $1, 0, 'infinity'
        ), missed AS (
          SELECT heard.stream, entry.*
          FROM heard
          LEFT JOIN conversation c ON c.id = heard.stream
          CROSS JOIN LATERAL (
            SELECT seq, told, joins, leaves, NULL AS id, NULL AS sender, NULL AS recipient, NULL AS content, at, NULL::boolean AS deleted
            FROM event WHERE stream = heard.stream AND at >= $2
            UNION ALL
            SELECT seq, NULL, NULL, NULL, id, sender, recipient, content, sent_at, false
            FROM message
            WHERE conversation_id = heard.stream AND sent_at >= $2 AND c.last_message_at >= $2 AND deleted_at IS NULL
          ) entry
          WHERE entry.seq > heard.after AND entry.seq <= heard.until
          LIMIT $3
        )
        SELECT * FROM missed ORDER BY stream, seq`,
      values: [account, since, most],
    });
    return rows.map(toEntry);
  }

  /** The conversations that the account has acknowledged since an instant, on whatever device. */
  async findAcknowledged(account: string, since: Date): Promise<string[]> {
    const { rows } = await this.pool.query<{ conversation_id: string }>({
      name: 'missed-acknowledgments',
      text: 'SELECT conversation_id FROM member WHERE account = $1 AND acknowledged_at >= $2',
      values: [account, since],
    });
    return rows.map(({ conversation_id }) => conversation_id);
  }

  /** How far the others of the account's dms have read since an instant. */
  async findReceipts(
    account: string,
    since: Date,
  ): Promise<{ conversation_id: string; username: string; seq: number }[]> {
    const { rows } = await this.pool.query<{ conversation_id: string; username: string; seq: string }>({
      name: 'missed-receipts',
      text: `
        SELECT other.conversation_id, other.account AS username, other.acknowledged_seq AS seq
        FROM member mine
        JOIN conversation c ON c.id = mine.conversation_id AND c.type = 'dm'
        JOIN member other ON other.conversation_id = c.id AND other.account <> $1 AND other.acknowledged_at >= $2
        WHERE mine.account = $1`,
      values: [account, since],
    });
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  }
}
