import { Inject, Injectable } from '@nestjs/common';
import { type Conversation, type ConversationType } from '@waggle/contracts';
import { type ClientBase, type Pool } from 'pg';
import { ulid } from 'ulid';
import { POOL, inTransaction, type Queryable } from '../database';
import { MessagesStore, newMessage, type Appended, type NewMessage } from '../messages/messages.store';

/** A conversation as the database gives it. */
interface ConversationRow {
  id: string;
  type: ConversationType;
  name: string | null;
  creator: string;
  members: string[];
  moderators: string[];
  created_at: Date;
  updated_at: Date;
}

/** A conversation with its members in the order in which they joined. */
const selectConversations = `
  SELECT c.id, c.type, c.name, c.creator, c.created_at, c.updated_at, m.members, m.moderators
  FROM conversation c
  CROSS JOIN LATERAL (
    SELECT array_agg(account ORDER BY joined_at, account) AS members,
           coalesce(array_agg(account ORDER BY joined_at, account) FILTER (WHERE moderator), '{}') AS moderators
    FROM member WHERE conversation_id = c.id
  ) m`;

/** A conversation about to be stored, its creator among the members. */
export interface NewConversation {
  type: 'dm' | 'group';
  creator: string;
  members: readonly string[];
}

export interface CreatedConversation {
  conversation: Conversation;
  message: NewMessage;
  appended: Appended;
}

/** Conversations and their members in the database; the only place that knows their SQL. */
@Injectable()
export class ConversationsStore {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly messages: MessagesStore,
  ) {}

  /** The account's conversations, the latest touched first. */
  async listOf(account: string): Promise<Conversation[]> {
    return this.select(
      'conversations-of-account',
      `${selectConversations} JOIN member own ON own.conversation_id = c.id AND own.account = $1 ORDER BY c.updated_at DESC, c.id`,
      [account],
    );
  }

  /** Those of the conversations that exist and that the account may see, in no particular order. */
  async findVisible(ids: readonly string[], account: string, client: Queryable = this.pool): Promise<Conversation[]> {
    return this.select(
      'conversations-visible',
      `${selectConversations}
       WHERE c.id = ANY($1) AND (c.type = 'channel'
         OR EXISTS (SELECT FROM member own WHERE own.conversation_id = c.id AND own.account = $2))`,
      [ids, account],
      client,
    );
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
   * Stores a conversation, its members and its first message in one transaction.
   * @returns what was stored, or undefined where the pair has a dm already
   */
  create(conversation: NewConversation, content: string): Promise<CreatedConversation | undefined> {
    const { creator, members } = conversation;
    return inTransaction(this.pool, async (client) => {
      const id = await this.insert(conversation, client);
      if (id === undefined) return undefined;
      await client.query('INSERT INTO member (conversation_id, account) SELECT $1, unnest($2::text[])', [id, members]);
      const message = newMessage(creator, { conversationId: id, to: null, content });
      const [appended] = await this.messages.append([message], client);
      const [stored] = await this.findVisible([id], creator, client);
      if (appended === undefined || stored === undefined)
        throw new Error('a conversation that is not there after its creation');
      return { conversation: stored, message, appended };
    });
  }

  private async insert({ type, creator, members }: NewConversation, client: ClientBase): Promise<string | undefined> {
    const [first, second] = type === 'dm' ? pairOf(members) : [null, null];
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO conversation (id, type, creator, dm_first, dm_second) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (dm_first, dm_second) WHERE type = 'dm' DO NOTHING RETURNING id`,
      [ulid(), type, creator, first, second],
    );
    return rows[0]?.id;
  }

  private async select(
    name: string,
    text: string,
    values: unknown[],
    client: Queryable = this.pool,
  ): Promise<Conversation[]> {
    const { rows } = await client.query<ConversationRow>({ name, text, values });
    return rows.map(toConversation);
  }
}

function pairOf(members: readonly string[]): [string, string] {
  const [account, other] = members;
  if (members.length !== 2 || account === undefined || other === undefined) throw new Error('a dm has two members');
  return inOrder(account, other);
}

/** A pair's dm is stored under the two names in the order of their bytes, as the database compares them. */
function inOrder(account: string, other: string): [string, string] {
  return account < other ? [account, other] : [other, account];
}

function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    type: row.type,
    ...(row.name !== null && { name: row.name }),
    creator: row.creator,
    members: row.members,
    moderators: row.moderators,
    blocked: false,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
