import { Inject, Injectable } from '@nestjs/common';
import { conversationsMost, unreadMessagesMost, type Conversation, type ExtendedConversation } from '@waggle/contracts';
import { POOL } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { inOrder } from '../relations/pair';
import {
  mayFollow,
  memberOf,
  selectConversations,
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

/** Conversations and their members in the database; `LockedConversation` changes them. */
@Injectable()
export class ConversationsStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * The account's conversations, the latest touched first and at most `conversationsMost`; without dms that it has left
   * since their last message.
   */
  async listOf(account: string): Promise<SeenConversation[]> {
    const { rows } = await this.pool.query<ConversationRow>({
      name: 'conversations-of-account',
      text: `
        WITH listed AS (
          SELECT c.*
          FROM member mine JOIN conversation c ON c.id = mine.conversation_id
          WHERE mine.account = $1 AND mine.standing = 'member' AND NOT mine.hidden
          ORDER BY c.updated_at DESC, c.id LIMIT ${conversationsMost}
        )
        ${selectConversationsFrom('listed')}
        ORDER BY c.updated_at DESC, c.id`,
      values: [account],
    });
    return rows.map(toSeen);
  }

  /** The channels that the account has created, or come to be the creator of. */
  async listChannelsOf(creator: string): Promise<Conversation[]> {
    const { rows } = await this.pool.query<ConversationRow>({
      name: 'channels-of-creator',
      text: `${selectConversations} WHERE c.type = 'channel' AND c.creator = $1 ORDER BY c.created_at, c.id LIMIT ${conversationsMost}`,
      values: [creator],
    });
    return rows.map(toConversation);
  }

  /** Those of the conversations that exist and that the account may see, in no particular order. */
  async findVisible(ids: readonly string[], account: string): Promise<VisibleConversation[]> {
    const { rows } = await this.pool.query<ConversationRow & { may_follow: boolean }>({
      name: 'conversations-visible',
      text: `
        SELECT visible.*, ${mayFollow} AS may_follow
        FROM (${selectConversations} WHERE c.id = ANY($1)) visible
        JOIN conversation c USING (id)
        ${memberOf('$2')}
        WHERE c.type = 'channel' OR mine.standing = 'member'`,
      values: [ids, account],
    });
    return rows.map((row) => ({ ...toSeen(row), mayFollow: row.may_follow }));
  }

  /**
   * Adds what a list of conversations shows, as it was when the conversation was seen: the last message, and how many the
   * account has not read.
   */
  async extend(seen: readonly SeenConversation[], account: string): Promise<ExtendedConversation[]> {
    const { rows } = await this.pool.query<ExtensionRow>({
      name: 'extend-conversations',
      text: `
        SELECT c.id, unread.count AS unread_count, last.*
        FROM unnest($1::text[], $3::bigint[]) AS c (id, last_seq)
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
        ) last ON true`,
      values: [seen.map(({ conversation }) => conversation.id), account, seen.map(({ lastSeq }) => lastSeq)],
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
   * Stores a conversation and its members, the creator first.
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

  /** Who of the accounts has blocked the other account. */
  async findBlockersOf(client: ClientBase, account: string, among: readonly string[]): Promise<string[]> {
    const { rows } = await client.query<{ blocker: string }>(
      'SELECT blocker FROM block WHERE blocked = $1 AND blocker = ANY($2) ORDER BY blocker',
      [account, among],
    );
    return rows.map(({ blocker }) => blocker);
  }
}

function membersOf(conversation: NewConversation): string[] {
  if (conversation.type === 'group') return [...conversation.members];
  return conversation.type === 'dm' ? [conversation.creator, conversation.other] : [conversation.creator];
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
