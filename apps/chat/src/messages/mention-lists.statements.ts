import { maxMentionsPage } from '@waggle/contracts';
import { sql, Statement } from '@waggle/service';
import { jsonBytes, messageBytes, pageColumns, selectPage } from '../lists/page';
import { memberTable } from '../log/member.entity';
import { everybody, mentionTable } from '../log/mention.entity';
import { body } from '../log/message-body';
import { messageTable } from '../log/message.entity';
import { joinMentionCount, joinReadState } from '../log/read-state';
import { memberOf } from '../membership/conversation-sql';
import { opaqueLimit } from '../opaque-limit';

/**
 * SQL for the conversations that have mentions of account `$1`. It skips from one conversation to the next in the
 * primary key of `mention`, so that it does not read all mentions.
 */
const mentionedIn = `
  mentioned_in AS (
    (SELECT conversation_id FROM mention WHERE account = $1 ORDER BY conversation_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT conversation_id FROM mention WHERE account = $1 AND conversation_id > before.conversation_id
      ORDER BY conversation_id LIMIT 1
    )
    FROM mentioned_in before WHERE before.conversation_id IS NOT NULL
  )`;

/** SQL for the mentions after the cursor, which is `$2` to `$4`. The first condition can use the index. */
const beforeCursor = `at <= $2 AND (at, conversation_id, seq) < ($2, $3, $4)`;

const selectMentions = `SELECT conversation_id, seq, message_seq, at FROM mention`;

/**
 * Returns a page of the messages that mention an account, also with `@all`, in the conversations that it may read; the
 * newest mentions first.
 */
export const mentionsOfAccount = new Statement({
  name: 'mentions-of-account',
  text: `
    WITH RECURSIVE ${mentionedIn}, readable AS (
      SELECT c.id, mine.status, coalesce(mine.acknowledged_seq, 0) AS acknowledged_seq, mine.joined_seq
      FROM (
        SELECT conversation_id AS id FROM mentioned_in
        UNION SELECT conversation_id FROM member WHERE account = $1 AND status = 'member'
      ) c
      ${memberOf('$1')}
      WHERE mine.status = 'member'
        OR (coalesce(mine.status, 'reader') = 'reader' AND (SELECT type FROM conversation WHERE id = c.id) = 'channel')
    ), newest AS (
      SELECT listed.*, listed.seq > readable.acknowledged_seq AS unread
      FROM readable
      CROSS JOIN LATERAL (
        (${selectMentions} WHERE account = $1 AND conversation_id = readable.id AND ${beforeCursor}
         ORDER BY at DESC, seq DESC LIMIT ${opaqueLimit(maxMentionsPage + 1)})
        UNION ALL
        (${selectMentions} WHERE account = '${everybody}' AND conversation_id = readable.id AND ${beforeCursor}
           AND readable.status = 'member' AND seq > readable.joined_seq AND sender <> $1
           AND (SELECT true FROM block WHERE blocker = $1 AND blocked = sender) IS NULL
         ORDER BY at DESC, seq DESC LIMIT ${opaqueLimit(maxMentionsPage + 1)})
      ) listed
      ORDER BY at DESC, conversation_id DESC, seq DESC LIMIT ${maxMentionsPage + 1}
    )
    ${selectPage(
      `SELECT m.seq, m.id, m.conversation_id, m.sender, m.recipient, ${body.selectFrom('m')}, m.sent_at,
              newest.at, newest.seq AS entry_seq, newest.unread, ${messageBytes} + ${jsonBytes(body.textFrom('m'))} AS bytes
       FROM newest JOIN message m ON m.conversation_id = newest.conversation_id AND m.seq = newest.message_seq`,
      maxMentionsPage + 1,
      'at DESC, conversation_id DESC, entry_seq DESC',
    )}
    ORDER BY nth`,
  parameters: {
    account: memberTable.account,
    /** The cursor: only mentions before this one in the list. */
    beforeAt: mentionTable.at,
    beforeConversationId: mentionTable.conversationId,
    beforeSeq: mentionTable.seq,
  },
  columns: {
    ...pageColumns,
    seq: sql.notNull(messageTable.seq),
    id: sql.notNull(messageTable.id),
    conversation_id: sql.notNull(messageTable.conversationId),
    sender: sql.notNull(messageTable.sender),
    recipient: messageTable.recipient,
    ...body.columns,
    content: sql.notNull(messageTable.content),
    sent_at: sql.notNull(messageTable.sentAt),
    at: sql.notNull(mentionTable.at),
    /** The sequence number of the entry that made the mention. */
    entry_seq: sql.notNull(mentionTable.seq),
    unread: sql.notNull(sql.bool),
    bytes: sql.notNull(sql.int4),
  },
});

/**
 * Returns one row: the unread messages and mentions of an account over all its conversations. A muted conversation
 * counts only its mentions. `mentions` has the ones in dms only if they are muted, because `direct_messages` includes
 * them otherwise.
 */
export const unreadCountsOfAccount = new Statement({
  name: 'unread-counts-of-account',
  text: `
    WITH RECURSIVE ${mentionedIn}, counted AS (
      SELECT c.id, c.type, c.last_seq FROM member mine JOIN conversation c ON c.id = mine.conversation_id
      WHERE mine.account = $1 AND mine.status = 'member' AND NOT mine.hidden AND c.last_seq > mine.acknowledged_seq
      UNION
      SELECT c.id, c.type, c.last_seq FROM mentioned_in JOIN conversation c ON c.id = mentioned_in.conversation_id
      WHERE c.type = 'channel'
    )
    SELECT coalesce(sum(unread_count) FILTER (WHERE c.type = 'dm' AND NOT coalesce(muted, false)), 0)::int AS direct_messages,
           coalesce(sum(mention_count) FILTER (WHERE c.type <> 'dm' OR muted), 0)::int AS mentions,
           coalesce(sum(unread_count) FILTER (WHERE c.type <> 'dm' AND NOT coalesce(muted, false)), 0)::int AS group_messages
    FROM counted c
    ${memberOf('$1')}
    ${joinReadState('mine', 'c.last_seq')}
    ${joinMentionCount('mine', '$1', 'c.id', 'c.last_seq')}
    `,
  parameters: { account: memberTable.account },
  columns: {
    direct_messages: sql.notNull(sql.int4),
    mentions: sql.notNull(sql.int4),
    group_messages: sql.notNull(sql.int4),
  },
});
