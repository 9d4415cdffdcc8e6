import { Inject, Injectable } from '@nestjs/common';
import {
  conversationsMost,
  identifier,
  maxMembersPage,
  unreadMessagesMost,
  type Conversation,
  type ExtendedConversation,
} from '@waggle/contracts';
import { POOL } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { z } from 'zod';
import { jsonBytes, messageBytes } from '../lists/json-bytes';
import { cursorMs, decodeCursor, encodeCursor, latestMs } from '../lists/cursors';
import { firstPage, type Paged, type Page } from '../lists/page';
import { inOrder } from '../relations/pair';
import { upTo } from '../up-to';
import {
  isCreatorOfDm,
  mayFollow,
  memberOf,
  selectConversationsFrom,
  toConversation,
  toSeen,
  type ConversationRow,
  type SeenConversation,
} from './conversation-rows';

/** A conversation about to be stored. */
export type NewConversation = { id: string; creator: string } & (
  | { type: 'dm'; other: string }
  | { type: 'group'; members: readonly string[]; clientId: string | null }
  | { type: 'channel'; name: string }
);

/** Since when a group must have been made for a repeat to be answered by it: so long its first entry is kept, too. */
const marksAreGoodSince = `clock_timestamp() - interval '24 hours'`;

/** The place of the creation in the stream of a conversation. */
export const placeOfCreation = 1;

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
    const { rows } = await this.pool.query<ConversationRow & Paged>({
      name: 'conversations-of-account',
      text: `
        WITH listed AS (
          SELECT c.*
          FROM member mine JOIN conversation c ON c.id = mine.conversation_id
          WHERE mine.account = $1 AND mine.standing = 'member' AND NOT mine.hidden
            AND (c.updated_at < $2 OR (c.updated_at = $2 AND c.id > $3))
          ORDER BY c.updated_at DESC, c.id LIMIT ${conversationsMost + 1}
        )
        ${firstPage(selectConversationsFrom('listed', '$1'), conversationsMost + 1, 'updated_at DESC, id')}
        ORDER BY updated_at DESC, id`,
      values: [account, new Date(touchedMs), id],
    });
    return { seen: rows.map(toSeen), hasNext: rows.at(-1)?.has_next === true };
  }

  /** The channels that the account has created, or come to be the creator of: the newest, in the order of their creation. */
  async listChannelsOf(creator: string, cursor: string | undefined): Promise<Page<Conversation>> {
    const [createdMs, id] = cursor === undefined ? [latestMs, ''] : decodeCursor(cursor, positionInTime);
    const { rows } = await this.pool.query<ConversationRow & Paged>({
      name: 'channels-of-creator',
      text: `
        WITH listed AS (
          SELECT * FROM conversation
          WHERE type = 'channel' AND creator = $1 AND (created_at, id) < ($2, $3)
          ORDER BY created_at DESC, id DESC LIMIT ${conversationsMost + 1}
        ), page AS (
          ${firstPage(selectConversationsFrom('listed', '$1'), conversationsMost + 1, 'created_at DESC, id DESC')}
        )
        SELECT * FROM page ORDER BY created_at, id`,
      values: [creator, new Date(createdMs), id],
    });
    const [oldest] = rows;
    const next = oldest?.has_next === true ? encodeCursor([oldest.created_at.getTime(), oldest.id]) : undefined;
    return { items: rows.map(toConversation), next };
  }

  /** The first of the conversations that exist and that the account may see, in the given order. @param ids each once */
  async findVisible(ids: readonly string[], account: string): Promise<FirstConversations<VisibleConversation>> {
    const { rows } = await this.pool.query<ConversationRow & Paged & { may_follow: boolean }>({
      name: 'conversations-visible',
      text: `
        WITH visible AS (
          SELECT c.*, asked.place, ${mayFollow} AS may_follow
          FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, place)
          JOIN conversation c ON c.id = asked.id
          ${memberOf('$2')}
          WHERE c.type = 'channel' OR mine.standing = 'member'
        )
        ${firstPage(selectConversationsFrom('visible', '$2', ['c.place', 'c.may_follow']), '$3', 'place')}
        ORDER BY place`,
      values: [ids, account, ids.length + 1],
    });
    const seen = rows.map((row) => ({ ...toSeen(row), mayFollow: row.may_follow }));
    return { seen, hasNext: rows.at(-1)?.has_next === true };
  }

  /**
   * The members of a conversation in the order of `members`, at most `maxMembersPage` in a page; undefined if it does not exist
   * or the account may not see it.
   */
  async listMembers(id: string, account: string, cursor: string | undefined): Promise<Page<string> | undefined> {
    const [after] = cursor === undefined ? [0] : decodeCursor(cursor, positionOfMember);
    const { rows } = await this.pool.query<{ account: string | null; joined: string | null }>({
      name: 'members-of-conversation',
      text: `
        SELECT listed.account, listed.joined
        FROM conversation c
        ${memberOf('$2')}
        LEFT JOIN LATERAL (
          SELECT account, joined FROM member
          WHERE conversation_id = c.id AND standing = 'member' AND joined > $3
          ORDER BY joined LIMIT ${upTo(maxMembersPage + 1)}
        ) listed ON true
        WHERE c.id = $1 AND (c.type = 'channel' OR mine.standing = 'member')
        ORDER BY ${isCreatorOfDm('listed.account')}, listed.joined`,
      values: [id, account, after],
    });
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
    const { rows } = await this.pool.query<ExtensionRow>({
      name: 'extend-conversations',
      text: `
        WITH extended AS (
          SELECT c.id, c.place, unread.count AS unread_count, last.*,
                 c.bytes + CASE WHEN last.content IS NULL THEN 0 ELSE ${messageBytes} + ${jsonBytes('last.content')} END AS bytes
          FROM unnest($1::text[], $3::bigint[], $4::int[]) WITH ORDINALITY AS c (id, last_seq, bytes, place)
          ${memberOf('$2')}
          CROSS JOIN LATERAL (
            SELECT count(*)::int FROM (
              SELECT FROM message
              WHERE conversation_id = c.id AND mine.standing = 'member' AND seq > mine.acknowledged_seq AND seq <= c.last_seq AND sender <> $2 AND deleted_at IS NULL
              LIMIT ${unreadMessagesMost}
            ) unread
          ) unread (count)
          LEFT JOIN LATERAL (
            SELECT id AS message_id, sender, recipient, content, sent_at,
                   CASE WHEN recipient IS NULL THEN sender = $2 OR seq <= coalesce(mine.acknowledged_seq, 0)
                        ELSE seq <= (SELECT acknowledged_seq FROM member WHERE conversation_id = c.id AND account = recipient)
                   END AS read
            FROM message WHERE conversation_id = c.id AND seq <= c.last_seq AND deleted_at IS NULL ORDER BY sent_at DESC LIMIT 1
          ) last ON true
        )
        ${firstPage('SELECT * FROM extended', '$5', 'place')}`,
      values: [
        seen.map(({ conversation }) => conversation.id),
        account,
        seen.map(({ lastSeq }) => lastSeq),
        seen.map(({ bytes }) => bytes),
        seen.length + 1,
      ],
    });
    const extensions = new Map(rows.map((row) => [row.id, row]));
    return seen.flatMap(({ conversation, lastSeq }) => {
      const row = extensions.get(conversation.id);
      return row === undefined ? [] : [{ ...conversation, last_seq: lastSeq, ...toExtension(row) }];
    });
  }

  /** The group that the account has made with this mark of its client while marks are good, whoever is its creator now. */
  async findByClientId(creator: string, clientId: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'group-by-client-id',
      text: `SELECT id FROM conversation WHERE client_creator = $1 AND client_id = $2 AND created_at > ${marksAreGoodSince}`,
      values: [creator, clientId],
    });
    return rows[0]?.id;
  }

  /** The id of the dm of the two, where they have one. */
  async findDmId(account: string, other: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'dm-of-pair',
      text: `SELECT id FROM conversation WHERE type = 'dm' AND dm_first = $1 AND dm_second = $2`,
      values: inOrder(account, other),
    });
    return rows[0]?.id;
  }

  /**
   * Stores a conversation and its members: of a dm the other account and then the creator, of a group in the given order.
   * @returns false where the pair has a dm already, or the creator a group with this mark; then nothing is stored
   */
  async insert(client: ClientBase, conversation: NewConversation): Promise<boolean> {
    const { id, type, creator } = conversation;
    const [first, second] = type === 'dm' ? inOrder(creator, conversation.other) : [null, null];
    const clientId = type === 'group' ? conversation.clientId : null;
    if (clientId !== null) await this.releaseMark(client, creator, clientId);
    const { rowCount } = await client.query(
      `INSERT INTO conversation (id, type, creator, name, dm_first, dm_second, client_creator, client_id, last_seq, changed_seq)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${placeOfCreation}, ${placeOfCreation})
       ON CONFLICT DO NOTHING`,
      [
        id,
        type,
        creator,
        type === 'channel' ? conversation.name : null,
        first,
        second,
        clientId === null ? null : creator,
        clientId,
      ],
    );
    if (rowCount === 0) return false;
    await client.query(
      `INSERT INTO member (conversation_id, account)
       SELECT $1, account FROM unnest($2::text[]) WITH ORDINALITY AS listed (account, n) ORDER BY n`,
      [id, membersOf(conversation)],
    );
    return true;
  }

  /** Takes a mark that is no longer good from the group that has it. */
  private async releaseMark(client: ClientBase, creator: string, clientId: string): Promise<void> {
    await client.query(
      `UPDATE conversation SET client_creator = NULL, client_id = NULL
       WHERE client_creator = $1 AND client_id = $2 AND created_at <= ${marksAreGoodSince}`,
      [creator, clientId],
    );
  }
}

function membersOf(conversation: NewConversation): string[] {
  if (conversation.type === 'group') return [...conversation.members];
  return conversation.type === 'dm' ? [conversation.other, conversation.creator] : [conversation.creator];
}

type ExtensionRow = { id: string; unread_count: number } & (
  | { message_id: null }
  | { message_id: string; sender: string; recipient: string | null; content: string; sent_at: Date; read: boolean }
);

function toExtension(row: ExtensionRow): Omit<ExtendedConversation, keyof Conversation | 'last_seq'> {
  return {
    unread_count: row.unread_count,
    last_message:
      row.message_id === null
        ? null
        : {
            id: row.message_id,
            conversation_id: row.id,
            from: row.sender,
            to: row.recipient,
            content: row.content,
            timestamp: row.sent_at.toISOString(),
            read: row.read,
          },
  };
}
