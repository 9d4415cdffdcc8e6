import { maxUnreadMessages } from '@waggle/contracts';
import { sql } from '@waggle/service';
import { opaqueLimit } from '../opaque-limit';
import { conversationTable } from './conversation.entity';

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

/** The columns of `joinReadState`. */
export const readStateColumns = {
  unread_count: sql.notNull(sql.int4),
  read_seq: sql.notNull(conversationTable.lastSeq),
};
