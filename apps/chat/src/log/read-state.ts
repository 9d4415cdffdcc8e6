import { maxUnreadMessages } from '@waggle/contracts';
import { sql } from '@waggle/service';
import { opaqueLimit } from '../opaque-limit';
import { conversationTable } from './conversation.entity';
import { everybody } from './mention.entity';

/**
 * SQL for a lateral join with the number of messages of others that a member has not read, at most `maxUnreadMessages`,
 * and the sequence number before the first of them. For an account that is not a member everything is read.
 *
 * @param member a row of `member`
 * @param lastSeq messages up to this sequence number count
 */
export const joinReadState = (member: string, lastSeq: string) => `
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS unread_count, coalesce(min(seq) - 1, ${lastSeq}) AS read_seq
    FROM (
      SELECT seq FROM message
      WHERE conversation_id = ${member}.conversation_id AND ${member}.status = 'member' AND seq > ${member}.acknowledged_seq
        AND seq <= ${lastSeq} AND sender <> ${member}.account AND deleted_at IS NULL
      ORDER BY seq LIMIT ${opaqueLimit(maxUnreadMessages)}
    ) unread
  ) read_state`;

/**
 * SQL for a lateral join with the number of unread mentions of an account, at most `maxUnreadMessages`. Mentions of all
 * members count for members.
 *
 * @param member a row of `member`, or of nulls
 * @param account such as `$1`
 * @param conversation its id
 * @param lastSeq mentions up to this sequence number count
 */
export const joinMentionCount = (member: string, account: string, conversation: string, lastSeq: string) => `
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS mention_count FROM (
      SELECT FROM mention
      WHERE account = ANY(ARRAY[${account}, CASE ${member}.status WHEN 'member' THEN '${everybody}' END])
        AND conversation_id = ${conversation} AND seq > coalesce(${member}.acknowledged_seq, 0) AND seq <= ${lastSeq}
        AND sender <> ${account}
        AND (account <> '${everybody}' OR (SELECT true FROM block WHERE blocker = ${account} AND blocked = sender) IS NULL)
        -- An account that has left a channel or was removed from it is not notified.
        AND coalesce(${member}.status, 'reader') IN ('member', 'reader')
      LIMIT ${opaqueLimit(maxUnreadMessages)}
    ) unread_mentions
  ) mention_state`;

/** The column of `joinMentionCount`. */
export const mentionCountColumn = { mention_count: sql.notNull(sql.int4) };

/** The columns of `joinReadState`. */
export const readStateColumns = {
  unread_count: sql.notNull(sql.int4),
  read_seq: sql.notNull(conversationTable.lastSeq),
};
