import { maxConversations, maxMembersPage } from '@waggle/contracts';
import { sql, Statement } from '@waggle/service';
import { maxPageBytes, pageColumns, selectPage } from '../lists/page';
import { opaqueLimit } from '../opaque-limit';
import {
  conversationColumns,
  followableCondition,
  memberOf,
  selectConversationsFrom,
} from '../membership/conversation-sql';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';

/** The number of a conversation in its list, from 1. */
const positionColumn = { position: sql.notNull(sql.int8) };

/** For each step of `selectPageInSteps`: the number in the list of its last conversation. */
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

/** The conversations of an account after a position, without the dms that it has hidden. */
const latestOfAccount = `
  SELECT c.*
  FROM member mine JOIN conversation c ON c.id = mine.conversation_id
  WHERE mine.account = $1 AND mine.status = 'member' AND NOT mine.hidden
    AND (c.updated_at < $2 OR (c.updated_at = $2 AND c.id > $3))
  ORDER BY c.updated_at DESC, c.id LIMIT ${maxConversations + 1}`;

/** Returns a page of the conversations of an account, the last updated first. */
export const conversationsOfAccount = new Statement({
  name: 'conversations-of-account',
  text: `${selectPageInSteps(latestOfAccount, 'updated_at DESC, id')} ORDER BY position`,
  parameters: { account: memberTable.account, updatedAt: conversationTable.updatedAt, id: conversationTable.id },
  columns: { ...conversationColumns, ...pageColumns, ...positionColumn },
});

/** The channels that an account created, before a position. */
const newestOfCreator = `
  SELECT * FROM conversation
  WHERE type = 'channel' AND creator = $1 AND (created_at, id) < ($2, $3)
  ORDER BY created_at DESC, id DESC LIMIT ${maxConversations + 1}`;

/** Returns a page of the channels that an account created. The page has the newest; its oldest comes first. */
export const channelsOfCreator = new Statement({
  name: 'channels-of-creator',
  text: `${selectPageInSteps(newestOfCreator, 'created_at DESC, id DESC')} ORDER BY position DESC`,
  parameters: { creator: conversationTable.creator, createdAt: conversationTable.createdAt, id: conversationTable.id },
  columns: { ...conversationColumns, ...pageColumns, ...positionColumn },
});

/** Returns a row for each of the given conversations that the account may see, as long as they fit into a page. */
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

/**
 * Returns a row for each member of a page, and one more if there is a next page; no rows if the account may not see the
 * conversation.
 */
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
