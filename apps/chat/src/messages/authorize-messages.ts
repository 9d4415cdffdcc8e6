import { type Queryable, sql, Statement } from '@waggle/service';
import { ChatError, notFound } from '../errors';
import { type NewMessage } from '../log/append-messages';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { messageTable } from '../log/message.entity';

/** Why an account may not write into a conversation. */
export type WriteError = 'not-found' | 'blocked' | 'friends-only' | 'banned';

const writeErrors: Record<WriteError, () => ChatError> = {
  'not-found': notFound,
  banned: () => new ChatError('forbidden', 'you were removed from this channel'),
  blocked: () => new ChatError('blocked', 'one of you has blocked the other'),
  'friends-only': () => new ChatError('friends-only', 'this account takes direct messages from friends only'),
};

/** Permits an account to write into a conversation. */
export interface WritePermission {
  /** The last sequence number of the conversation when the permission was given. */
  seq: number;
  /**
   * Whether the message also changes the conversation: its sender joins the channel, or a dm that an account left is
   * shown again.
   */
  changesConversation: boolean;
  /** The other account of a dm; null in other conversations. */
  recipient: string | null;
}

/** Permits an account to write, or says why it may not. */
type Authorization = { permission: WritePermission } | { error: WriteError };

/** An account that wants to write into a conversation. */
type Writer = Pick<NewMessage, 'conversationId' | 'sender'>;

/** Returns a row for each writer, in the given order, with the outcome of its authorization. */
const authorizeWriters = new Statement({
  name: 'authorize-messages',
  text: `
    SELECT c.last_seq, CASE c.type WHEN 'dm' THEN other.account END AS recipient,
           CASE WHEN c.type = 'channel' THEN
                  CASE mine.status WHEN 'member' THEN 'allowed' WHEN 'banned' THEN 'banned' ELSE 'changes-conversation' END
                WHEN mine.status IS DISTINCT FROM 'member' THEN 'not-found'
                WHEN c.type = 'group' THEN 'allowed'
                WHEN c.blocked THEN 'blocked'
                -- Not EXISTS, for which the planner may scan a whole table.
                WHEN (SELECT dm_from_friends FROM setting WHERE account = other.account)
                  AND (SELECT true FROM friendship WHERE first = c.dm_first AND second = c.dm_second) IS NULL THEN 'friends-only'
                WHEN (SELECT bool_or(hidden) FROM member WHERE conversation_id = c.id) THEN 'changes-conversation'
                ELSE 'allowed' END AS outcome
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (conversation_id, sender, n)
    LEFT JOIN conversation c ON c.id = w.conversation_id
    LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = w.sender
    -- With the collation of the other tables, whose indexes cannot be used otherwise.
    CROSS JOIN LATERAL (SELECT CASE w.sender WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END COLLATE "default" AS account) other
    ORDER BY w.n`,
  parameters: { conversationIds: sql.arrayOf(messageTable.conversationId), senders: sql.arrayOf(messageTable.sender) },
  columns: {
    /** The last sequence number of the conversation; null if there is no such conversation. */
    last_seq: sql.nullable(conversationTable.lastSeq),
    recipient: sql.nullable(memberTable.account),
    /** `allowed`, `changes-conversation` or a `WriteError`. */
    outcome: sql.notNull(sql.text),
  },
});

/** Returns for each writer, in the given order, whether it may write, as of this statement. */
export async function authorizeMessages(client: Queryable, writers: readonly Writer[]): Promise<Authorization[]> {
  const rows = await authorizeWriters.query(client, {
    conversationIds: writers.map(({ conversationId }) => conversationId),
    senders: writers.map(({ sender }) => sender),
  });
  return rows.map(({ outcome, last_seq, recipient }) => {
    if (outcome === 'allowed' || outcome === 'changes-conversation') {
      const changesConversation = outcome === 'changes-conversation';
      return { permission: { seq: Number(last_seq), changesConversation, recipient } };
    }
    if (!isWriteError(outcome)) throw new Error(`unknown outcome of an authorization: ${outcome}`);
    return { error: outcome };
  });
}

/**
 * Returns the permission of one writer, as of this statement.
 *
 * @throws ChatError as `toChatError`, if it may not write
 */
export async function authorizeMessage(client: Queryable, writer: Writer): Promise<WritePermission> {
  const [authorization] = await authorizeMessages(client, [writer]);
  if (authorization === undefined) throw new Error('no authorization for the writer');
  if ('error' in authorization) throw toChatError(authorization.error);
  return authorization.permission;
}

function isWriteError(outcome: string): outcome is WriteError {
  return Object.hasOwn(writeErrors, outcome);
}

/**
 * Returns the error that the sender of a rejected message gets: `not-found`, `forbidden`, `blocked` or `friends-only`.
 */
export function toChatError(writeError: WriteError): ChatError {
  return writeErrors[writeError]();
}
