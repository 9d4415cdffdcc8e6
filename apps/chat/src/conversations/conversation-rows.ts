import { maxListedMembers, type Conversation, type ConversationType } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';
import { accountBytes, conversationBytes, jsonBytes } from '../lists/json-bytes';

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
  /** Size in JSON. */
  bytes: number;
}

/** A conversation, and the last place that had been taken in it when it was as it is. */
export interface SeenConversation {
  conversation: Conversation;
  lastSeq: number;
  /** Size of the conversation in JSON. */
  bytes: number;
}

/**
 * Conversations with their members in the order in which they joined, and moderators in which they were made.
 *
 * @param source rows of `conversation`
 * @param maxOfChannel most members of a channel that are listed, and most moderators
 * @param columns further columns of the source
 */
export const selectConversationsFrom = (source: string, maxOfChannel = maxListedMembers, columns: string[] = []) => `
  SELECT ${['c.id', 'c.type', 'c.name', 'c.creator', 'c.blocked', 'c.created_at', 'c.updated_at', 'c.last_seq', ...columns].join(', ')},
         m.members, m.moderators,
         ${conversationBytes} + coalesce(${jsonBytes('c.name')}, 0) + ${accountBytes} * (cardinality(m.members) + cardinality(m.moderators)) AS bytes
  FROM ${source} c
  CROSS JOIN LATERAL (
    SELECT ARRAY(SELECT account FROM member WHERE conversation_id = c.id AND standing = 'member'
                 ORDER BY joined LIMIT CASE c.type WHEN 'channel' THEN ${maxOfChannel} END) AS members,
           ARRAY(SELECT account FROM member WHERE conversation_id = c.id AND standing = 'member' AND made_moderator IS NOT NULL
                 ORDER BY made_moderator LIMIT CASE c.type WHEN 'channel' THEN ${maxListedMembers} END) AS moderators
    -- Merged into the statement, each list would be read once for every place that names it.
    OFFSET 0
  ) m`;

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
  return { conversation: toConversation(row), lastSeq: Number(row.last_seq), bytes: row.bytes };
}

/**
 * A conversation that is there, as this client's transaction sees it and events tell it: a channel without its members, who may
 * be any number.
 */
export async function readConversation(client: Queryable, id: string): Promise<Conversation> {
  const { rows } = await client.query<ConversationRow>(
    `${selectConversationsFrom('conversation', 0)} WHERE c.id = $1`,
    [id],
  );
  if (rows[0] === undefined) throw new Error('a conversation that is there and is not');
  return toConversation(rows[0]);
}
