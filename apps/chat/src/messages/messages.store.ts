import { Inject, Injectable } from '@nestjs/common';
import { unreadMessagesMost, type PlacedMessage, type PlacedUnreadMessage } from '@waggle/contracts';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { mayFollow } from '../conversations/conversation-rows';
import { upTo } from '../up-to';

/** A page of messages, and whether the account may follow the conversation without being a member, and does not yet. */
export interface History {
  messages: PlacedMessage[];
  mayFollow: boolean;
}

interface MessageRow {
  seq: string;
  id: string;
  conversation_id: string;
  sender: string;
  recipient: string | null;
  content: string;
  sent_at: Date;
}

interface HistoryRow extends MessageRow {
  read: boolean;
}

/** Messages in the database, as they are read; `MessageWriter` adds them. */
@Injectable()
export class MessagesStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * The newest `limit` messages before an instant, in ascending order, as the account sees them; undefined when the
   * conversation does not exist or is not the account's.
   */
  async findHistory(
    conversationId: string,
    account: string,
    beforeMs: number | undefined,
    limit: number,
  ): Promise<History | undefined> {
    const { rows } = await this.pool.query<{ may_follow: boolean } & (HistoryRow | { id: null })>({
      name: 'message-history',
      text: `
        SELECT page.*, ${mayFollow} AS may_follow
        FROM conversation c
        LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = $2
        -- Of a dm: the other side.
        LEFT JOIN member other ON c.type = 'dm' AND other.conversation_id = c.id
          AND other.account = CASE $2 WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END COLLATE "default"
        LEFT JOIN LATERAL (
          SELECT seq, id, conversation_id, sender, recipient, content, sent_at,
                 CASE WHEN recipient IS NULL THEN sender = $2 OR seq <= coalesce(mine.acknowledged_seq, 0)
                      WHEN recipient = $2 THEN seq <= mine.acknowledged_seq
                      ELSE seq <= other.acknowledged_seq END AS read
          FROM message
          WHERE conversation_id = c.id AND deleted_at IS NULL AND sent_at < coalesce($3::timestamptz, 'infinity')
          ORDER BY sent_at DESC LIMIT ${upTo('$4')}
        ) page ON true
        WHERE c.id = $1 AND (c.type = 'channel' OR mine.standing = 'member')
        ORDER BY page.sent_at`,
      values: [conversationId, account, beforeMs === undefined ? null : new Date(beforeMs), limit],
    });
    const [first] = rows;
    if (first === undefined) return undefined;
    const messages = rows.flatMap((row) => (row.id === null ? [] : [{ ...toMessage(row), read: row.read }]));
    return { messages, mayFollow: first.may_follow };
  }

  /** The account's unread messages of others, oldest first. */
  async listUnread(account: string): Promise<PlacedUnreadMessage[]> {
    const { rows } = await this.pool.query<MessageRow>({
      name: 'unread-messages',
      text: `
        -- Which they are, the index of the places knows alone; the messages themselves lie scattered.
        WITH oldest AS (
          SELECT mine.conversation_id, unread.seq
          FROM member mine
          JOIN conversation c ON c.id = mine.conversation_id AND c.last_seq > mine.acknowledged_seq
          CROSS JOIN LATERAL (
            -- No more of each than of all, so that a channel that nobody reads is not read whole.
            SELECT seq, sent_at FROM message
            WHERE conversation_id = mine.conversation_id AND seq > mine.acknowledged_seq AND sender <> $1 AND deleted_at IS NULL
            ORDER BY seq LIMIT ${upTo(unreadMessagesMost)}
          ) unread
          WHERE mine.account = $1 AND mine.standing = 'member' AND NOT mine.hidden
          ORDER BY unread.sent_at, mine.conversation_id LIMIT ${unreadMessagesMost}
        )
        SELECT m.seq, m.id, m.conversation_id, m.sender, m.recipient, m.content, m.sent_at
        FROM oldest JOIN message m ON m.conversation_id = oldest.conversation_id AND m.seq = oldest.seq
        ORDER BY m.sent_at, m.id`,
      values: [account],
    });
    return rows.map(toMessage);
  }

  /** The conversation that a message is in, though it be deleted. */
  async findConversationId(messageId: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ conversation_id: string }>({
      name: 'conversation-of-message',
      text: 'SELECT conversation_id FROM message WHERE id = $1',
      values: [messageId],
    });
    return rows[0]?.conversation_id;
  }
}

function toMessage(row: MessageRow): PlacedUnreadMessage {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    from: row.sender,
    to: row.recipient,
    content: row.content,
    timestamp: row.sent_at.toISOString(),
    seq: Number(row.seq),
  };
}
