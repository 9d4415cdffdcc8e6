import { Inject, Injectable } from '@nestjs/common';
import {
  type ExtendableQuery,
  type HistoryQuery,
  identifier,
  maxInstantMs,
  type MentioningMessage,
  type MentionsQuery,
  type UnreadCounts,
  type MessageWithSeq,
  type Reaction,
  type UnreadMessageWithSeq,
} from '@waggle/contracts';
import { isJoined, POOL, type RowOf } from '@waggle/service';
import { type Pool } from 'pg';
import { z } from 'zod';
import { mentionsOfAccount, unreadCountsOfAccount } from './mention-lists.statements';
import { cursorTime, decodeCursor, encodeCursor, timeCursor, type Page } from '../lists/page';
import { toMessage } from '../log/entry';
import { body, toBody, toRichFields } from '../log/message-body';
import { findReactions } from '../log/message-reactions';
import { addQuotes } from '../log/quotes';
import {
  historyAfter,
  historyBefore,
  messageColumns,
  startOfPageAround,
  unreadMessages,
} from './message-lists.statements';

/** A page of messages. */
interface History {
  messages: MessageWithSeq[];
  /** Whether there are more messages: older ones before an instant, newer ones after a sequence number. */
  hasNext: boolean;
  /** Whether the account may follow the conversation without being a member, and does not follow it yet. */
  isFollowable: boolean;
}

/** The columns that are not null in a row with a message. */
const historyColumns = ['seq', 'id', 'conversation_id', 'sender', ...body.requiredColumns, 'sent_at', 'read'] as const;

/** The cursor of a page of mentions: time, conversation and sequence number of the last one of the page before. */
const mentionCursor = z.tuple([cursorTime, identifier, z.int().min(0)]);
/** The cursor of the first page of mentions. */
const firstMentions = [maxInstantMs, '', 0] as const;

/** Reads the pages of messages that accounts request: histories, unread messages and mentions. */
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
    // The rows are in ascending order, so a page before an instant ends with the first one.
    const last = afterSeq === undefined ? rows[0] : rows.at(-1);
    if (last === undefined) return undefined;
    const withMessage = rows.flatMap((row) => (isJoined(row, historyColumns) ? [row] : []));
    const messages = await this.toSequenced(withMessage, extended);
    const reactions = extended ? await this.readReactions(conversationId, messages, account) : undefined;
    return {
      messages: messages.map((message, i) => {
        const ofMessage = reactions?.get(message.seq);
        const read = withMessage[i]?.read === true;
        return { ...message, read, ...(ofMessage !== undefined && { reactions: ofMessage }) };
      }),
      hasNext: last.has_next === true,
      isFollowable: last.is_followable,
    };
  }

  /** Returns the reactions to successive messages of a conversation, by sequence number. */
  private async readReactions(
    conversationId: string,
    messages: readonly UnreadMessageWithSeq[],
    account: string,
  ): Promise<ReadonlyMap<number, Reaction[]>> {
    const [first, last] = [messages[0], messages.at(-1)];
    if (first === undefined || last === undefined) return new Map();
    return await findReactions(this.pool, { conversationId, from: first.seq, to: last.seq }, account);
  }

  /**
   * Returns the sequence number of a message, and the one after which a page with the message in its middle begins.
   * Undefined if the conversation does not have the message.
   */
  async findPageAround(
    conversationId: string,
    id: string,
    pageSize: number,
  ): Promise<{ target: number; afterSeq: number } | undefined> {
    const row = await startOfPageAround.find(this.pool, { conversationId, id, limit: Math.ceil(pageSize / 2) });
    return row && { target: Number(row.target), afterSeq: Number(row.start) - 1 };
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

  /** Converts rows to messages with their sequence numbers. @param extended whether quotes are read */
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
