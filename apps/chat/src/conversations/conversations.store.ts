import { Inject, Injectable } from '@nestjs/common';
import { maxInstantMs, maxMembersPage, type Conversation, type ExtendedConversation } from '@waggle/contracts';
import { isJoined, POOL, type RowIn } from '@waggle/service';
import { type Pool } from 'pg';
import { z } from 'zod';
import { decodeCursor, encodeCursor, timeCursor, type Page } from '../lists/page';
import { toMessage } from '../log/entry';
import { toBody } from '../log/message-body';
import { toConversation, toSnapshot, type ConversationSnapshot } from '../membership/conversation-rows';
import {
  channelsOfCreator,
  conversationsOfAccount,
  membersOfConversation,
  visibleConversations,
} from './conversations.statements';
import { extendConversations, lastMessageColumns } from './extend-conversations.statements';

/** A conversation that the account may see. */
interface VisibleConversation extends ConversationSnapshot {
  /** Whether the account may follow it without being a member, and does not follow it yet. */
  isFollowable: boolean;
}

/** A page of a list. The caller makes the cursor, because `extend` may shorten the page. */
export interface ConversationPage<Snapshot = ConversationSnapshot> {
  snapshots: Snapshot[];
  hasNext: boolean;
}

/** Returns the cursor of `listOfAccount` for the page that begins after a conversation. */
export function cursorAfter({ updated_at, id }: Conversation): string {
  return encodeCursor([Date.parse(updated_at), id]);
}

/** The cursor of a list of members: the number that orders them. */
const memberCursor = z.tuple([z.int()]);

/** Reads conversations; `NewConversationsStore` creates and `LockedConversation` changes them. */
@Injectable()
export class ConversationsStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Returns a page of the account's conversations, the last updated first. Leaves out dms that the account has left.
   */
  async listOfAccount(account: string, cursor: string | undefined): Promise<ConversationPage> {
    const [updatedMs, id] = cursor === undefined ? [maxInstantMs, ''] : decodeCursor(cursor, timeCursor);
    const rows = await conversationsOfAccount.query(this.pool, { account, updatedAt: new Date(updatedMs), id });
    return { snapshots: rows.map(toSnapshot), hasNext: rows.at(-1)?.has_next === true };
  }

  /**
   * Returns a page of the channels that an account created. The first page has the newest channels; within a page the
   * oldest comes first.
   */
  async listChannelsOf(creator: string, cursor: string | undefined): Promise<Page<Conversation>> {
    const [createdMs, id] = cursor === undefined ? [maxInstantMs, ''] : decodeCursor(cursor, timeCursor);
    const rows = await channelsOfCreator.query(this.pool, { creator, createdAt: new Date(createdMs), id });
    const [oldest] = rows;
    const next = oldest?.has_next === true ? encodeCursor([oldest.created_at.getTime(), oldest.id]) : undefined;
    return { items: rows.map(toConversation), next };
  }

  /**
   * Returns the given conversations that the account may see, in the given order, as many as fit into a page.
   * @param ids without duplicates
   */
  async findVisible(ids: readonly string[], account: string): Promise<ConversationPage<VisibleConversation>> {
    const rows = await visibleConversations.query(this.pool, { ids, account, limit: ids.length + 1 });
    const snapshots = rows.map((row) => ({ ...toSnapshot(row), isFollowable: row.is_followable }));
    return { snapshots, hasNext: rows.at(-1)?.has_next === true };
  }

  /**
   * Returns the members of a conversation in the order of `members`, at most `maxMembersPage` in a page; undefined if
   * it does not exist or the account may not see it.
   */
  async listMembers(id: string, account: string, cursor: string | undefined): Promise<Page<string> | undefined> {
    const [after] = cursor === undefined ? [0] : decodeCursor(cursor, memberCursor);
    const rows = await membersOfConversation.query(this.pool, { id, account, after });
    if (rows.length === 0) return undefined;
    const listed = rows.slice(0, maxMembersPage);
    // If the conversation is visible but the page is empty, the LEFT JOIN returns one row of nulls.
    const items = listed.flatMap(({ account: member }) => member ?? []);
    return {
      items,
      next: rows.length > maxMembersPage ? encodeCursor([Number(listed.at(-1)?.join_order)]) : undefined,
    };
  }

  /**
   * Adds to each snapshot its last message and the account's unread count.
   *
   * @returns fewer than given if they no longer fit into a page
   */
  async extend(snapshots: readonly ConversationSnapshot[], account: string): Promise<ExtendedConversation[]> {
    const rows = await extendConversations.query(this.pool, {
      ids: snapshots.map(({ conversation }) => conversation.id),
      account,
      lastSeqs: snapshots.map(({ lastSeq }) => lastSeq),
      bytes: snapshots.map(({ bytes }) => bytes),
      limit: snapshots.length + 1,
    });
    const extensions = new Map(rows.map((row) => [row.id, row]));
    return snapshots.flatMap(({ conversation, lastSeq }) => {
      const row = extensions.get(conversation.id);
      return row === undefined ? [] : [{ ...conversation, last_seq: lastSeq, ...toExtension(row) }];
    });
  }
}

function toExtension(
  row: RowIn<typeof extendConversations>,
): Omit<ExtendedConversation, keyof Conversation | 'last_seq'> {
  const { muted, favourite, unread_count, mention_count, first_unread_id } = row;
  const counts = { unread_count, mention_count, first_unread_id };
  const ofAccount = { read_seq: Number(row.read_seq), ...counts, muted, favourite };
  if (!isJoined(row, lastMessageColumns)) return { ...ofAccount, last_message: null };
  const { message_id: id, sender, recipient, sent_at, read } = row;
  const message = toMessage(row.id, { id, sender, recipient, ...toBody(row), sentAt: sent_at.toISOString() });
  return { ...ofAccount, last_message: { ...message, read } };
}
