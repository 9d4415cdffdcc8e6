import { Inject, Injectable } from '@nestjs/common';
import { identifier, maxMembersPage, type Conversation, type ExtendedConversation } from '@waggle/contracts';
import { isJoined, POOL, type RowIn } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { z } from 'zod';
import { cursorMs, decodeCursor, encodeCursor, latestMs } from '../lists/cursors';
import { type Page } from '../lists/page';
import { toBody } from '../log/message-body';
import { dmOfPair } from '../relations/locked-pair.statements';
import { inOrder } from '../relations/pair';
import { toConversation, toSeen, type SeenConversation } from '../membership/conversation-rows';
import {
  channelsOfCreator,
  conversationsOfAccount,
  extendConversations,
  groupByClientId,
  insertConversation,
  insertMembers,
  lastMessageColumns,
  membersOfConversation,
  releaseClientId,
  visibleConversations,
} from './conversations.statements';

/** A conversation about to be stored. */
export type NewConversation = { id: string; creator: string } & (
  | { type: 'dm'; other: string }
  | { type: 'group'; members: readonly string[]; clientId: string | null }
  | { type: 'channel'; name: string }
);

/** A conversation that the account may see, and whether it may follow it without being a member, and does not yet. */
export interface VisibleConversation extends SeenConversation {
  mayFollow: boolean;
}

/** The first conversations of a list, as many as fit into a page. */
export interface FirstConversations<Seen = SeenConversation> {
  seen: Seen[];
  hasNext: boolean;
}

/** A cursor of conversations: the time by which they are in order, and the id. */
const positionInTime = z.tuple([cursorMs, identifier]);

/** A cursor of members: the number by which they are in order. */
const positionOfMember = z.tuple([z.int()]);

/** Conversations and their members in the database; `LockedConversation` changes them. */
@Injectable()
export class ConversationsStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * The account's conversations, the latest touched first, at most `conversationsMost` in a page; without dms that it has left
   * since their last message.
   */
  async listOf(account: string, cursor: string | undefined): Promise<FirstConversations> {
    const [touchedMs, id] = cursor === undefined ? [latestMs, ''] : decodeCursor(cursor, positionInTime);
    const rows = await conversationsOfAccount.query(this.pool, { account, touchedAt: new Date(touchedMs), id });
    return { seen: rows.map(toSeen), hasNext: rows.at(-1)?.has_next === true };
  }

  /** The channels that the account has created, or come to be the creator of: the newest, in the order of their creation. */
  async listChannelsOf(creator: string, cursor: string | undefined): Promise<Page<Conversation>> {
    const [createdMs, id] = cursor === undefined ? [latestMs, ''] : decodeCursor(cursor, positionInTime);
    const rows = await channelsOfCreator.query(this.pool, { creator, createdAt: new Date(createdMs), id });
    const [oldest] = rows;
    const next = oldest?.has_next === true ? encodeCursor([oldest.created_at.getTime(), oldest.id]) : undefined;
    return { items: rows.map(toConversation), next };
  }

  /** The first of the conversations that exist and that the account may see, in the given order. @param ids each once */
  async findVisible(ids: readonly string[], account: string): Promise<FirstConversations<VisibleConversation>> {
    const rows = await visibleConversations.query(this.pool, { ids, account, limit: ids.length + 1 });
    const seen = rows.map((row) => ({ ...toSeen(row), mayFollow: row.may_follow }));
    return { seen, hasNext: rows.at(-1)?.has_next === true };
  }

  /**
   * The members of a conversation in the order of `members`, at most `maxMembersPage` in a page; undefined if it does not exist
   * or the account may not see it.
   */
  async listMembers(id: string, account: string, cursor: string | undefined): Promise<Page<string> | undefined> {
    const [after] = cursor === undefined ? [0] : decodeCursor(cursor, positionOfMember);
    const rows = await membersOfConversation.query(this.pool, { id, account, after });
    if (rows.length === 0) return undefined;
    const listed = rows.slice(0, maxMembersPage);
    const items = listed.flatMap(({ account: member }) => member ?? []);
    return { items, next: rows.length > maxMembersPage ? encodeCursor([Number(listed.at(-1)?.joined)]) : undefined };
  }

  /**
   * Adds what a list of conversations shows, as it was when the conversation was seen: the last message, and how many the
   * account has not read.
   *
   * @returns the first of them, as many as fit into a page together with these messages
   */
  async extend(seen: readonly SeenConversation[], account: string): Promise<ExtendedConversation[]> {
    const rows = await extendConversations.query(this.pool, {
      ids: seen.map(({ conversation }) => conversation.id),
      account,
      lastSeqs: seen.map(({ lastSeq }) => lastSeq),
      bytes: seen.map(({ bytes }) => bytes),
      limit: seen.length + 1,
    });
    const extensions = new Map(rows.map((row) => [row.id, row]));
    return seen.flatMap(({ conversation, lastSeq }) => {
      const row = extensions.get(conversation.id);
      return row === undefined ? [] : [{ ...conversation, last_seq: lastSeq, ...toExtension(row) }];
    });
  }

  /** The group that the account has made with this mark of its client while marks are good, whoever is its creator now. */
  async findByClientId(creator: string, clientId: string): Promise<string | undefined> {
    return (await groupByClientId.find(this.pool, { creator, clientId }))?.id;
  }

  /** The id of the dm of the two, where they have one. */
  async findDmId(account: string, other: string): Promise<string | undefined> {
    const [first, second] = inOrder(account, other);
    return (await dmOfPair.find(this.pool, { first, second }))?.id;
  }

  /**
   * Stores a conversation and its members: of a dm the other account and then the creator, of a group in the given order.
   * @returns false where the pair has a dm already, or the creator a group with this mark; then nothing is stored
   */
  async insert(client: ClientBase, conversation: NewConversation): Promise<boolean> {
    const { id, type, creator } = conversation;
    const [first, second] = type === 'dm' ? inOrder(creator, conversation.other) : [null, null];
    const clientId = type === 'group' ? conversation.clientId : null;
    if (clientId !== null) await releaseClientId.execute(client, { creator, clientId });
    const inserted = await insertConversation.execute(client, {
      id,
      type,
      creator,
      name: type === 'channel' ? conversation.name : null,
      first,
      second,
      clientCreator: clientId === null ? null : creator,
      clientId,
    });
    if (inserted === 0) return false;
    await insertMembers.execute(client, { id, accounts: membersOf(conversation) });
    return true;
  }
}

function membersOf(conversation: NewConversation): string[] {
  if (conversation.type === 'group') return [...conversation.members];
  return conversation.type === 'dm' ? [conversation.other, conversation.creator] : [conversation.creator];
}

function toExtension(
  row: RowIn<typeof extendConversations>,
): Omit<ExtendedConversation, keyof Conversation | 'last_seq'> {
  const last = isJoined(row, lastMessageColumns) ? row : undefined;
  return {
    unread_count: row.unread_count,
    last_message:
      last === undefined
        ? null
        : {
            id: last.message_id,
            conversation_id: last.id,
            from: last.sender,
            to: last.recipient,
            ...toBody(last),
            timestamp: last.sent_at.toISOString(),
            read: last.read,
          },
  };
}
