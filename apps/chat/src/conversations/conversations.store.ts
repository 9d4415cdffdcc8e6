import { Inject, Injectable } from '@nestjs/common';
import { maxInstantMs, maxMembersPage, type Conversation, type ExtendedConversation } from '@waggle/contracts';
import { isJoined, POOL, type RowIn } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { z } from 'zod';
import { decodeCursor, encodeCursor, timeCursor, type Page } from '../lists/page';
import { toMessage } from '../log/entry';
import { pickBody } from '../log/message-body';
import { dmOfPair, orderedPair } from '../relations/locked-pair';
import { toConversation, toSnapshot, type ConversationSnapshot } from '../membership/conversation-rows';
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

/** A conversation to store. */
type NewConversation = { id: string; creator: string } & (
  | { type: 'dm'; other: string }
  | { type: 'group'; members: readonly string[]; clientId: string | null }
  | { type: 'channel'; name: string }
);

/** A conversation that the account may see. */
interface VisibleConversation extends ConversationSnapshot {
  /** Whether the account may follow it without being a member, and does not follow it yet. */
  mayFollow: boolean;
}

/** The first conversations of a list, as many as fit into a page. */
export interface ConversationPage<Snapshot = ConversationSnapshot> {
  snapshots: Snapshot[];
  hasNext: boolean;
}

/** The cursor of a list of members: the number that orders them. */
const memberCursor = z.tuple([z.int()]);

/** Reads and creates conversations; `LockedConversation` changes them. */
@Injectable()
export class ConversationsStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Returns the conversations of an account, the last updated first, without the dms that it hid by leaving, as many as
   * fit into a page.
   */
  async listOfAccount(account: string, cursor: string | undefined): Promise<ConversationPage> {
    const [updatedMs, id] = cursor === undefined ? [maxInstantMs, ''] : decodeCursor(cursor, timeCursor);
    const rows = await conversationsOfAccount.query(this.pool, { account, updatedAt: new Date(updatedMs), id });
    return { snapshots: rows.map(toSnapshot), hasNext: rows.at(-1)?.has_next === true };
  }

  /** Returns a page of the channels of a creator: the newest page first, the oldest channel first within it. */
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
    const snapshots = rows.map((row) => ({ ...toSnapshot(row), mayFollow: row.may_follow }));
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
    // A page without members is one row of nulls.
    const items = listed.flatMap(({ account: member }) => member ?? []);
    return { items, next: rows.length > maxMembersPage ? encodeCursor([Number(listed.at(-1)?.joined)]) : undefined };
  }

  /**
   * Adds the last message and the account's number of unread messages, as of each snapshot.
   *
   * @returns the first of them, as many as fit into a page: the messages make it larger
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

  /**
   * Returns the id of the group that the account created with this key, while the key is valid, even if its creator has
   * changed.
   */
  async findByClientId(creator: string, clientId: string): Promise<string | undefined> {
    return (await groupByClientId.find(this.pool, { creator, clientId }))?.id;
  }

  /** Returns the id of the dm of two accounts, if they have one. */
  async findDmId(account: string, other: string): Promise<string | undefined> {
    const [first, second] = orderedPair(account, other);
    return (await dmOfPair.find(this.pool, { first, second }))?.id;
  }

  /**
   * Stores a conversation and its members: of a dm the other account and then the creator, of a group in the given
   * order, of a channel its creator.
   * @returns false, and stores nothing, if the id is in use, the pair has a dm, or the creator a group with this key
   */
  async insert(client: ClientBase, conversation: NewConversation): Promise<boolean> {
    const { id, type, creator } = conversation;
    const [first, second] = type === 'dm' ? orderedPair(creator, conversation.other) : [null, null];
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
    read_seq: Number(row.read_seq),
    unread_count: row.unread_count,
    last_message:
      last === undefined
        ? null
        : {
            ...toMessage(last.id, {
              ...last,
              ...pickBody(last),
              id: last.message_id,
              sentAt: last.sent_at.toISOString(),
            }),
            read: last.read,
          },
  };
}
