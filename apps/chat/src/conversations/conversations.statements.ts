import { maxConversations, maxMembersPage } from '@waggle/contracts';
import { sql, Statement } from '@waggle/service';
import { jsonBytes, maxPageBytes, messageBytes, pageColumns, selectPage } from '../lists/page';
import { body } from '../log/message-body';
import { joinMentionCount, joinReadState, mentionCountColumn, readStateColumns } from '../log/read-state';
import { opaqueLimit } from '../opaque-limit';
import {
  conversationColumns,
  followableCondition,
  memberOf,
  selectConversationsFrom,
} from '../membership/conversation-rows';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { messageTable } from '../log/message.entity';

/** The number of a conversation in its list, from 1. */
const positionColumn = { position: sql.notNull(sql.int8) };

/** The position of the last conversation of each step of `selectPageInSteps`. */
const stepEnds = [250, 500, maxConversations + 1];

/**
 * SQL for the first page of a list of conversations, with their number in the list as `position`. It reads the members
 * in steps, and takes a step only if all conversations before it fit into the page. Of 1,000 groups of 250 members
 * about a hundred fit: reading the members of all took 286 ms, and the first step takes 71.
 *
 * @param listed a SELECT of rows of `conversation`, at most one more than a page may have
 * @param order of the list, such as `created_at DESC`
 */
function selectPageInSteps(listed: string, order: string): string {
  const steps = stepEnds.map((end, index) => {
    const start = stepEnds[index - 1] ?? 0;
    const before = stepEnds.slice(0, index).map((_end, earlier) => `SELECT bytes FROM step_${earlier}`);
    const isReached =
      index === 0 ? 'true' : `(SELECT sum(bytes) FROM (${before.join(' UNION ALL ')}) before) <= ${maxPageBytes}`;
    const rows = `(SELECT * FROM numbered WHERE position > ${start} AND position <= ${end} AND ${isReached})`;
    return `step_${index} AS MATERIALIZED (${selectConversationsFrom(rows, '$1', ['c.position'])})`;
  });
  const all = stepEnds.map((_end, index) => `SELECT * FROM step_${index}`).join(' UNION ALL ');
  return `
    WITH numbered AS MATERIALIZED (SELECT *, row_number() OVER (ORDER BY ${order}) AS position FROM (${listed}) listed),
    ${steps.join(', ')}
    ${selectPage(all, maxConversations + 1, 'position')}`;
}

const latestOfAccount = `
  SELECT c.*
  FROM member mine JOIN conversation c ON c.id = mine.conversation_id
  WHERE mine.account = $1 AND mine.status = 'member' AND NOT mine.hidden
    AND (c.updated_at < $2 OR (c.updated_at = $2 AND c.id > $3))
  ORDER BY c.updated_at DESC, c.id LIMIT ${maxConversations + 1}`;

export const conversationsOfAccount = new Statement({
  name: 'conversations-of-account',
  text: `${selectPageInSteps(latestOfAccount, 'updated_at DESC, id')} ORDER BY position`,
  parameters: { account: memberTable.account, updatedAt: conversationTable.updatedAt, id: conversationTable.id },
  columns: { ...conversationColumns, ...pageColumns, ...positionColumn },
});

const newestOfCreator = `
  SELECT * FROM conversation
  WHERE type = 'channel' AND creator = $1 AND (created_at, id) < ($2, $3)
  ORDER BY created_at DESC, id DESC LIMIT ${maxConversations + 1}`;

export const channelsOfCreator = new Statement({
  name: 'channels-of-creator',
  text: `${selectPageInSteps(newestOfCreator, 'created_at DESC, id DESC')} ORDER BY position DESC`,
  parameters: { creator: conversationTable.creator, createdAt: conversationTable.createdAt, id: conversationTable.id },
  columns: { ...conversationColumns, ...pageColumns, ...positionColumn },
});

export const visibleConversations = new Statement({
  name: 'conversations-visible',
  text: `
    WITH visible AS (
      SELECT c.*, requested.nth AS position, ${followableCondition} AS is_followable
      FROM unnest($1::text[]) WITH ORDINALITY AS requested (id, nth)
      JOIN conversation c ON c.id = requested.id
      ${memberOf('$2')}
      WHERE c.type = 'channel' OR mine.status = 'member'
    )
    ${selectPage(selectConversationsFrom('visible', '$2', ['c.position', 'c.is_followable']), '$3', 'position')}
    ORDER BY position`,
  parameters: {
    ids: sql.arrayOf(conversationTable.id),
    account: memberTable.account,
    /** One more than the page may have. */
    limit: sql.int8,
  },
  columns: {
    ...conversationColumns,
    ...pageColumns,
    ...positionColumn,
    is_followable: sql.notNull(sql.bool),
  },
});

export const membersOfConversation = new Statement({
  name: 'members-of-conversation',
  text: `
    SELECT listed.account, listed.joined AS join_order
    FROM conversation c
    ${memberOf('$2')}
    LEFT JOIN LATERAL (
      SELECT account, joined FROM member
      WHERE conversation_id = c.id AND status = 'member' AND joined > $3
      ORDER BY joined LIMIT ${opaqueLimit(maxMembersPage + 1)}
    ) listed ON true
    WHERE c.id = $1 AND (c.type = 'channel' OR mine.status = 'member')
    ORDER BY listed.joined`,
  parameters: { id: conversationTable.id, account: memberTable.account, after: memberTable.joined },
  columns: {
    // Null in the only row if the page has no members.
    account: sql.nullable(memberTable.account),
    join_order: sql.nullable(memberTable.joined),
  },
});

export const extendConversations = new Statement({
  name: 'extend-conversations',
  text: `
    WITH extended AS (
      SELECT c.id, c.position, read_state.*, coalesce(mine.muted, false) AS muted, coalesce(mine.favourite, false) AS favourite,
             mention_state.*, first_unread.id AS first_unread_id, last.*,
             c.bytes + CASE WHEN last.message_id IS NULL THEN 0 ELSE ${messageBytes} + ${jsonBytes(body.textFrom('last'))} END AS bytes
      FROM unnest($1::text[], $3::bigint[], $4::int[]) WITH ORDINALITY AS c (id, last_seq, bytes, position)
      ${memberOf('$2')}
      ${joinReadState('mine', 'c.last_seq')}
      ${joinMentionCount('mine', '$2', 'c.id', 'c.last_seq')}
      LEFT JOIN LATERAL (
        SELECT id FROM message WHERE conversation_id = c.id AND seq = read_seq + 1 AND unread_count > 0 LIMIT 1
      ) first_unread ON true
      LEFT JOIN LATERAL (
        SELECT id AS message_id, sender, recipient, ${body.selectFrom('message')}, sent_at,
               CASE WHEN recipient IS NULL THEN sender = $2 OR seq <= coalesce(mine.acknowledged_seq, 0)
                    WHEN recipient = $2 THEN seq <= mine.acknowledged_seq
                    ELSE seq <= (SELECT receipt_seq FROM member WHERE conversation_id = c.id AND account = recipient)
               END AS read
        FROM message WHERE conversation_id = c.id AND seq <= c.last_seq AND deleted_at IS NULL ORDER BY sent_at DESC LIMIT 1
      ) last ON true
    )
    ${selectPage('SELECT * FROM extended', '$5', 'position')}`,
  parameters: {
    ids: sql.arrayOf(conversationTable.id),
    account: memberTable.account,
    lastSeqs: sql.arrayOf(conversationTable.lastSeq),
    bytes: sql.arrayOf(sql.int4),
    /** One more than the page may have. */
    limit: sql.int8,
  },
  columns: {
    ...pageColumns,
    id: sql.notNull(conversationTable.id),
    position: sql.notNull(sql.int8),
    ...readStateColumns,
    muted: sql.notNull(memberTable.muted),
    favourite: sql.notNull(memberTable.favourite),
    ...mentionCountColumn,
    first_unread_id: sql.nullable(messageTable.id),
    // Of the last message; null if there is none.
    message_id: sql.nullable(messageTable.id),
    sender: sql.nullable(messageTable.sender),
    recipient: messageTable.recipient,
    ...body.nullableColumns,
    sent_at: sql.nullable(messageTable.sentAt),
    read: sql.nullable(sql.bool),
    bytes: sql.notNull(sql.int4),
  },
});

/** The columns that are not null in a row with a last message. */
export const lastMessageColumns = ['message_id', 'sender', ...body.requiredColumns, 'sent_at', 'read'] as const;
