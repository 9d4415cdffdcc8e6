import { type Conversation, type ConversationType } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';

/** A conversation as the database gives it. */
export interface ConversationRow {
  id: string;
  type: ConversationType;
  name: string | null;
  creator: string;
  members: string[];
  moderators: string[];
  blocked: boolean;
  created_at: Date;
  updated_at: Date;
  last_seq: string;
}

/** A conversation, and the last place that had been taken in it when it was as it is. */
export interface SeenConversation {
  conversation: Conversation;
  lastSeq: number;
}

/**
 * Conversations with their members in the order in which they joined, and moderators in which they were made.
 * @param source rows of `conversation`
 */
export const selectConversationsFrom = (source: string) => `
  SELECT c.id, c.type, c.name, c.creator, c.blocked, c.created_at, c.updated_at, c.last_seq, m.members, m.moderators
  FROM ${source} c
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(account ORDER BY joined), '{}') AS members,
           coalesce(array_agg(account ORDER BY made_moderator) FILTER (WHERE made_moderator IS NOT NULL), '{}') AS moderators
    FROM member WHERE conversation_id = c.id AND standing = 'member'
  ) m`;

export const selectConversations = selectConversationsFrom('conversation');

/**
 * The row of an account in conversation `c`, where it has one. Looked up for each conversation: joined, a plan that is made
 * for everybody would read all rows of an account that is in thousands of conversations.
 * @param account such as `$1`
 */
export const memberOf = (account: string) =>
  `LEFT JOIN LATERAL (SELECT * FROM member WHERE conversation_id = c.id AND account = ${account} LIMIT 1) mine ON true`;

/** Whether the account whose `member` row is `mine` may follow conversation `c` without being a member, and does not yet. */
export const mayFollow = `(c.type = 'channel' AND mine.followed_at IS NULL AND coalesce(mine.standing, 'reader') IN ('reader', 'former'))`;

export function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    type: row.type,
    ...(row.name !== null && { name: row.name }),
    creator: row.creator,
    members: row.members,
    moderators: row.moderators,
    blocked: row.blocked,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toSeen(row: ConversationRow): SeenConversation {
  return { conversation: toConversation(row), lastSeq: Number(row.last_seq) };
}

/** A conversation that is there, as this client's transaction sees it. */
export async function readConversation(client: Queryable, id: string): Promise<Conversation> {
  const { rows } = await client.query<ConversationRow>(`${selectConversations} WHERE c.id = $1`, [id]);
  if (rows[0] === undefined) throw new Error('a conversation that is there and is not');
  return toConversation(rows[0]);
}
