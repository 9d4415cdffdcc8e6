import { Inject, Injectable } from '@nestjs/common';
import {
  type ExtendableQuery,
  type HistoryQuery,
  identifier,
  maxInstantMs,
  type MentioningMessage,
  type MentionsQuery,
  type UnreadCounts,
  maxUnreadMessages,
  type MessageWithSeq,
  type MessageRevision,
  maxRevisionsPage,
  type Reaction,
  type UnreadMessageWithSeq,
} from '@waggle/contracts';
import { isJoined, POOL, type RowOf, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { z } from 'zod';
import { mentionsOfAccount, unreadCountsOfAccount } from './mention-lists.statements';
import { followableCondition } from '../membership/conversation-rows';
import {
  cursorTime,
  decodeCursor,
  encodeCursor,
  jsonBytes,
  jsonBytesInPage,
  messageBytes,
  pageColumns,
  selectPage,
  timeCursor,
  type Page,
} from '../lists/page';
import { toMessage } from '../log/entry';
import { body, toBody, toRichFields } from '../log/message-body';
import { findReactions } from '../log/message-reactions';
import { addQuotes } from '../log/quotes';
import { messageRevisionTable } from '../log/message-revision.entity';
import { opaqueLimit } from '../opaque-limit';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { messageTable } from '../log/message.entity';

/** A page of messages. */
interface History {
  messages: MessageWithSeq[];
  /** Whether there are more messages: older ones before an instant, newer ones after a sequence number. */
  hasNext: boolean;
  /** Whether the account may follow the conversation without being a member, and does not follow it yet. */
  isFollowable: boolean;
}

const messageColumns = {
  seq: messageTable.seq,
  id: messageTable.id,
  conversation_id: messageTable.conversationId,
  sender: messageTable.sender,
  recipient: messageTable.recipient,
  ...body.columns,
  sent_at: messageTable.sentAt,
};

/**
 * SQL for a page of messages of conversation `$1` as account `$2` sees them, in ascending order.
 *
 * @param range the messages of conversation `c` that the page may have; `$3` is where it begins
 * @param order in which the page takes them
 */
const selectHistory = (range: string, order: string) => `
    SELECT page.seq, page.id, page.conversation_id, page.sender, page.recipient, ${body.selectFrom('page')}, page.sent_at, page.read,
           page.has_next, ${followableCondition} AS is_followable
    FROM conversation c
    LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = $2
    -- The other account of a dm.
    LEFT JOIN member other ON c.type = 'dm' AND other.conversation_id = c.id
      AND other.account = CASE $2 WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END COLLATE "default"
    LEFT JOIN LATERAL (${selectPage(
      `SELECT seq, id, conversation_id, sender, recipient, ${body.selectFrom('message')}, sent_at,
              CASE WHEN recipient IS NULL THEN sender = $2 OR seq <= coalesce(mine.acknowledged_seq, 0)
                   WHEN recipient = $2 THEN seq <= mine.acknowledged_seq
                   ELSE seq <= other.receipt_seq END AS read,
              ${messageBytes} + ${jsonBytes(body.textFrom('message'))} AS bytes
       FROM message
       WHERE conversation_id = c.id AND deleted_at IS NULL AND ${range}
       ORDER BY ${order} LIMIT ${opaqueLimit('$4')}`,
      '$4',
      order,
    )}
    ) page ON true
    WHERE c.id = $1 AND (c.type = 'channel' OR mine.status = 'member')
    ORDER BY page.sent_at`;

const reader = { conversationId: conversationTable.id, account: memberTable.account };

const historyRow = {
  // Null, except for the last one, in the only row of a conversation without such messages.
  seq: sql.nullable(messageTable.seq),
  id: sql.nullable(messageTable.id),
  conversation_id: sql.nullable(messageTable.conversationId),
  sender: sql.nullable(messageTable.sender),
  recipient: messageTable.recipient,
  ...body.nullableColumns,
  sent_at: sql.nullable(messageTable.sentAt),
  read: sql.nullable(sql.bool),
  has_next: sql.nullable(sql.bool),
  is_followable: sql.notNull(sql.bool),
};

const historyBefore = new Statement({
  name: 'history-before',
  text: selectHistory(`sent_at < coalesce($3::timestamptz, 'infinity')`, 'sent_at DESC'),
  /** `limit` is one more than the page may have. */
  parameters: { ...reader, before: sql.nullable(messageTable.sentAt), limit: sql.int4 },
  columns: historyRow,
});

const historyAfter = new Statement({
  name: 'history-after',
  // Times have the order of sequence numbers, and their index is without the deleted messages.
  text: selectHistory(
    `sent_at > coalesce((
         SELECT sent_at FROM message WHERE conversation_id = c.id AND seq <= $3 ORDER BY seq DESC LIMIT 1
       ), '-infinity')`,
    'sent_at',
  ),
  parameters: { ...reader, afterSeq: messageTable.seq, limit: sql.int4 },
  columns: historyRow,
});

const pageStart = new Statement({
  name: 'page-start',
  text: `
    SELECT min(seq) AS seq FROM (
      SELECT seq FROM message
      WHERE conversation_id = $1 AND deleted_at IS NULL AND sent_at <= (
        SELECT sent_at FROM message WHERE conversation_id = $1 AND id = $2 LIMIT 1
      )
      ORDER BY sent_at DESC LIMIT ${opaqueLimit('$3')}
    ) page`,
  parameters: { conversationId: messageTable.conversationId, id: messageTable.id, limit: sql.int4 },
  columns: { seq: sql.nullable(messageTable.seq) },
});

/** The columns that are not null in a row with a message. */
const historyColumns = ['seq', 'id', 'conversation_id', 'sender', ...body.requiredColumns, 'sent_at', 'read'] as const;

const unreadMessages = new Statement({
  name: 'unread-messages',
  text: `
    -- Finds the messages by an index-only scan, since their rows are on many pages.
    WITH newest AS (
      SELECT mine.conversation_id, unread.seq
      FROM member mine
      JOIN conversation c ON c.id = mine.conversation_id AND c.last_seq > mine.acknowledged_seq
      CROSS JOIN LATERAL (
        -- Limited in each conversation as well, so that a channel that the account does not read is not scanned whole.
        SELECT seq, sent_at FROM message
        WHERE conversation_id = mine.conversation_id AND seq > mine.acknowledged_seq AND sender <> $1 AND deleted_at IS NULL
          -- Times have the order of sequence numbers, by which this index is sorted.
          AND seq <= CASE WHEN $2::timestamptz IS NULL THEN c.last_seq ELSE (
            SELECT seq FROM message
            WHERE conversation_id = c.id AND deleted_at IS NULL
              AND sent_at < $2 + CASE WHEN c.id < $3 THEN interval '1 ms' ELSE interval '0' END
            ORDER BY sent_at DESC LIMIT 1
          ) END
        ORDER BY seq DESC LIMIT ${opaqueLimit(maxUnreadMessages + 1)}
      ) unread
      WHERE mine.account = $1 AND mine.status = 'member' AND NOT mine.hidden
      ORDER BY unread.sent_at DESC, mine.conversation_id DESC LIMIT ${maxUnreadMessages + 1}
    ), page AS (${selectPage(
      `SELECT m.seq, m.id, m.conversation_id, m.sender, m.recipient, ${body.selectFrom('m')}, m.sent_at,
              ${messageBytes} + ${jsonBytesInPage(body.textFrom('m'), 'sent_at DESC, m.conversation_id DESC')} AS bytes
       FROM newest JOIN message m ON m.conversation_id = newest.conversation_id AND m.seq = newest.seq`,
      maxUnreadMessages + 1,
      'sent_at DESC, conversation_id DESC',
    )}
    )
    SELECT seq, id, conversation_id, sender, recipient, ${body.selectFrom('page')}, sent_at, nth, has_next FROM page ORDER BY sent_at, id`,
  parameters: {
    account: memberTable.account,
    /** The cursor, together with the conversation; null for the first page. */
    before: sql.nullable(messageTable.sentAt),
    conversationId: sql.nullable(messageTable.conversationId),
  },
  columns: { ...messageColumns, nth: pageColumns.nth, has_next: pageColumns.has_next },
});

/** The cursor of a page of former texts: the last one of the page before. */
const revisionCursor = z.tuple([
  z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
]);

/** The cursor of a page of mentions: time, conversation and sequence number of the last one of the page before. */
const mentionCursor = z.tuple([cursorTime, identifier, z.int().min(0)]);
const firstMentions = [maxInstantMs, '', 0] as const;

/** Bytes in JSON of a former text without the text. */
const revisionBytes = 80;

const revisionsOfMessage = new Statement({
  name: 'revisions-of-message',
  text: `
    SELECT page.revision, page.content, page.at, page.has_next
    FROM message m
    JOIN conversation c ON c.id = m.conversation_id
    LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = $3
    LEFT JOIN LATERAL (${selectPage(
      `SELECT revision, content, at, ${revisionBytes} + ${jsonBytes('content')} AS bytes FROM message_revision
       WHERE conversation_id = $1 AND seq = m.seq AND revision > $4
       ORDER BY revision LIMIT ${opaqueLimit(maxRevisionsPage + 1)}`,
      maxRevisionsPage + 1,
      'revision',
    )}) page ON true
    WHERE m.conversation_id = $1 AND m.id = $2 AND m.deleted_at IS NULL AND (c.type = 'channel' OR mine.status = 'member')
    ORDER BY page.revision`,
  parameters: {
    conversationId: messageTable.conversationId,
    id: messageTable.id,
    account: memberTable.account,
    after: messageRevisionTable.revision,
  },
  columns: {
    // Null in the only row of a message that was not edited.
    revision: sql.nullable(messageRevisionTable.revision),
    content: sql.nullable(messageRevisionTable.content),
    at: sql.nullable(messageRevisionTable.at),
    has_next: sql.nullable(sql.bool),
  },
});

/** Reads the messages that accounts list; `log` stores, delivers and deletes messages. */
@Injectable()
export class MessageListsStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Returns the newest messages before an instant, or the oldest after a sequence number, as the account sees them, in
   * ascending order: at most `limit`, and as many as fit into a page. Undefined if the conversation does not exist or
   * the account may not see it.
   */
  async findHistory(
    account: string,
    { conversation_id: conversationId, before, after_seq: afterSeq, limit, extended }: HistoryQuery,
  ): Promise<History | undefined> {
    const page = { conversationId, account, limit: limit + 1 };
    const rows =
      afterSeq === undefined
        ? await historyBefore.query(this.pool, { ...page, before: before === undefined ? null : new Date(before) })
        : await historyAfter.query(this.pool, { ...page, afterSeq });
    const last = afterSeq === undefined ? rows[0] : rows.at(-1);
    if (last === undefined) return undefined;
    const joined = rows.flatMap((row) => (isJoined(row, historyColumns) ? [row] : []));
    const sequenced = await this.toSequenced(joined, extended);
    const [first, final] = [sequenced[0]?.seq, sequenced.at(-1)?.seq];
    const reactions =
      extended && first !== undefined && final !== undefined
        ? await findReactions(this.pool, { conversationId, from: first, to: final }, account)
        : new Map<number, Reaction[]>();
    const messages = sequenced.map((message, i) => {
      const ofMessage = reactions.get(message.seq);
      const read = joined[i]?.read === true;
      return { ...message, read, ...(ofMessage !== undefined && { reactions: ofMessage }) };
    });
    return { messages, hasNext: last.has_next === true, isFollowable: last.is_followable };
  }

  /**
   * Returns the sequence number after which a page begins that has a message in its middle; undefined if the
   * conversation does not have the message.
   */
  async findStart(conversationId: string, id: string, pageSize: number): Promise<number | undefined> {
    const row = await pageStart.find(this.pool, { conversationId, id, limit: Math.ceil(pageSize / 2) });
    return row === undefined || row.seq === null ? undefined : Number(row.seq) - 1;
  }

  /**
   * Returns the newest messages of others that the account has not read, the oldest first: at most `maxUnreadMessages`,
   * and as many as fit into a page. The next page has older ones.
   */
  async listUnread(account: string, { cursor, extended }: ExtendableQuery): Promise<Page<UnreadMessageWithSeq>> {
    const [beforeMs, conversationId] = cursor === undefined ? [null, null] : decodeCursor(cursor, timeCursor);
    const rows = await unreadMessages.query(this.pool, {
      account,
      before: beforeMs === null ? null : new Date(beforeMs),
      conversationId,
    });
    const last = rows.find(({ nth }) => Number(nth) === rows.length);
    const next = last?.has_next === true ? encodeCursor([last.sent_at.getTime(), last.conversation_id]) : undefined;
    return { items: await this.toSequenced(rows, extended), next };
  }

  /** Returns the newest messages that mention the account, the newest first, as many as fit into a page. */
  async listMentions(account: string, { cursor }: MentionsQuery): Promise<Page<MentioningMessage>> {
    const [beforeMs, conversationId, seq] = cursor === undefined ? firstMentions : decodeCursor(cursor, mentionCursor);
    const rows = await mentionsOfAccount.query(this.pool, {
      account,
      beforeAt: new Date(beforeMs),
      beforeConversationId: conversationId,
      beforeSeq: seq,
    });
    const messages = await this.toSequenced(rows, true);
    const items = messages.map((message, i) => ({
      ...message,
      mention_seq: Number(rows[i]?.entry_seq),
      unread: rows[i]?.unread === true,
    }));
    const last = rows.at(-1);
    const next =
      last?.has_next === true
        ? encodeCursor([last.at.getTime(), last.conversation_id, Number(last.entry_seq)])
        : undefined;
    return { items, next };
  }

  async countUnread(account: string): Promise<UnreadCounts> {
    const counts = await unreadCountsOfAccount.find(this.pool, { account });
    if (counts === undefined) throw new Error('an aggregate returned no row');
    return counts;
  }

  /**
   * Returns the former texts of a message after a revision, the first one first; undefined if the message does not
   * exist, was deleted, or is in a conversation that the account may not see.
   */
  async listRevisions(
    account: string,
    message: { conversationId: string; id: string },
    cursor: string | undefined,
  ): Promise<Page<MessageRevision> | undefined> {
    const [after] = cursor === undefined ? [-1] : decodeCursor(cursor, revisionCursor);
    const rows = await revisionsOfMessage.query(this.pool, { ...message, account, after });
    if (rows.length === 0) return undefined;
    const items = rows.flatMap((row) =>
      isJoined(row, ['revision', 'content', 'at'])
        ? [{ revision: row.revision, content: row.content, timestamp: row.at.toISOString() }]
        : [],
    );
    const last = items.at(-1);
    const isCut = rows.at(-1)?.has_next === true && last !== undefined;
    return { items, next: isCut ? encodeCursor([last.revision]) : undefined };
  }

  /** @param extended whether quotes are read */
  private async toSequenced(
    rows: readonly RowOf<typeof messageColumns>[],
    extended: boolean,
  ): Promise<UnreadMessageWithSeq[]> {
    const messages = rows.map((row) => ({ row, conversationId: row.conversation_id, ...toBody(row) }));
    if (extended) await addQuotes(this.pool, messages);
    return messages.map(({ row, ...messageBody }) => {
      const { id, sender, recipient, sent_at } = row;
      const entry = { id, sender, recipient, ...messageBody, sentAt: sent_at.toISOString() };
      const message = toMessage(row.conversation_id, entry);
      return { ...message, seq: Number(row.seq), ...toRichFields(messageBody) };
    });
  }
}
