import { maxListedMembers } from '@waggle/contracts';
import { sql } from '@waggle/service';
import { accountBytes, conversationBytes, jsonBytes } from '../lists/page';
import { conversationTable } from '../log/conversation.entity';

/**
 * The columns of `selectConversationsFrom`. Declared as not null, which PostgreSQL does not report if the account's row
 * is joined.
 */
export const conversationColumns = {
  id: sql.notNull(conversationTable.id),
  type: sql.notNull(conversationTable.type),
  name: conversationTable.name,
  creator: sql.notNull(conversationTable.creator),
  /** Names separated by spaces: parsing PostgreSQL arrays takes 20 times as long. */
  members: sql.notNull(sql.text),
  moderators: sql.notNull(sql.text),
  blocked: sql.notNull(conversationTable.blocked),
  created_at: sql.notNull(conversationTable.createdAt),
  updated_at: sql.notNull(conversationTable.updatedAt),
  last_seq: sql.notNull(conversationTable.lastSeq),
  /** Size in JSON. */
  bytes: sql.notNull(sql.int4),
};

/*
 * SQL in which `c` is a row of `conversation`, and an account is a parameter such as `$1`.
 */

/** Conditions on rows of `member`. */
const isMemberRow = `conversation_id = c.id AND status = 'member'`;
const isModeratorRow = `${isMemberRow} AND made_moderator IS NOT NULL`;
/** Cuts off only the lists of channels: dms and groups are small. */
const channelLimit = `LIMIT CASE c.type WHEN 'channel' THEN ${maxListedMembers} END`;
const firstModerators = `ARRAY(SELECT account FROM member WHERE ${isModeratorRow} ORDER BY made_moderator ${channelLimit})`;

/**
 * SQL for the members of a dm in the order of `joined`, without reading their rows: the other account, then the
 * creator.
 */
const membersOfDm = 'ARRAY[CASE c.creator WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END, c.creator]';

/** SQL for the members over REST: of a channel the first `maxListedMembers`. */
const firstMembers = `CASE c.type WHEN 'dm' THEN ${membersOfDm}
    ELSE ARRAY(SELECT account FROM member WHERE ${isMemberRow} ORDER BY joined ${channelLimit}) END`;

/** SQL for the members in events: of a channel only the creator and the account, so that an event stays small. */
export const creatorAndAccount = (account: string) => `CASE c.type WHEN 'dm' THEN ${membersOfDm} WHEN 'channel'
    THEN ARRAY(SELECT account FROM member WHERE ${isMemberRow} AND account IN (c.creator, ${account}) ORDER BY joined)
    ELSE ARRAY(SELECT account FROM member WHERE ${isMemberRow} ORDER BY joined) END`;

/**
 * SQL for a list that was cut off at `maxListedMembers`, with the account at its end if the cut removed it. The row of
 * the account is read only for such a list.
 *
 * @param isListed whether a row of `member` belongs to the list
 */
const withAccount = (list: string, account: string, isListed: string) => `
  CASE WHEN c.type = 'channel' AND cardinality(${list}) = ${maxListedMembers} AND NOT ${account} = ANY (${list})
    THEN ${list} || ARRAY(SELECT account FROM member WHERE ${isListed} AND account = ${account})
    ELSE ${list} END`;

/**
 * SQL for conversations with their members in the order they joined, the creator of a dm or group after the accounts
 * that it listed, and moderators in the order of their appointment. Each list of a channel has the first
 * `maxListedMembers`, and then the account if it belongs to the list and is not among these.
 *
 * @param source rows of `conversation`
 * @param account the requesting account, such as `$1`
 * @param columns further columns of the source
 * @param members the members of conversation `c` to list
 */
export function selectConversationsFrom(
  source: string,
  account: string,
  columns: string[] = [],
  members = firstMembers,
): string {
  return `
  SELECT ${['c.id', 'c.type', 'c.name', 'c.creator', 'c.blocked', 'c.created_at', 'c.updated_at', 'c.last_seq', ...columns].join(', ')},
         array_to_string(m.members, ' ') AS members, array_to_string(m.moderators, ' ') AS moderators,
         ${conversationBytes} + coalesce(${jsonBytes('c.name')}, 0) + ${accountBytes} * (cardinality(m.members) + cardinality(m.moderators)) AS bytes
  FROM ${source} c
  CROSS JOIN LATERAL (
    SELECT ${withAccount('first.members', account, isMemberRow)} AS members,
           ${withAccount('first.moderators', account, isModeratorRow)} AS moderators
    -- OFFSET 0 keeps the planner from inlining the subquery, which would read each list once for each reference to it.
    FROM (SELECT ${members} AS members, ${firstModerators} AS moderators OFFSET 0) first
    OFFSET 0
  ) m`;
}

/**
 * SQL for the row of an account in conversation `c`, if it has one. LATERAL, since the generic plan of a join would
 * read all rows of an account that is in thousands of conversations.
 * @param account such as `$1`
 */
export const memberOf = (account: string) =>
  `LEFT JOIN LATERAL (SELECT * FROM member WHERE conversation_id = c.id AND account = ${account} LIMIT 1) mine ON true`;

/**
 * Whether the account whose `member` row is `mine` may follow conversation `c` without being a member, and does not
 * yet.
 */
export const followableCondition = `(
  c.type = 'channel' AND mine.followed_at IS NULL AND coalesce(mine.status, 'reader') IN ('reader', 'left')
)`;
