import { sql, Statement } from '@waggle/service';
import { pageColumns, selectPage } from '../lists/page';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { messageTable } from '../log/message.entity';
import { opaqueLimit } from '../opaque-limit';
import { sessionTable } from '../sessions/session.entity';

/** Maximum number of lines that a statement reads. Those of a conversation also fit into `maxPageBytes`. */
export const maxLines = 500;

/** How many sequence numbers a statement searches for rows of the account: an index scan of a few ms. */
export const maxSeqs = 5_000;

/** SQL for a time as `Date.toISOString` writes it. */
const iso = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The fields of a line. Tests compare them with the contract. */
const fields = sql.notNull(sql.jsonb<Record<string, unknown>>());

/** SQL for lines of one type in the order of their times and keys, from SELECTs of `at`, `key` and `fields`. */
function selectLines(...selects: string[]): string {
  const limited = selects.map(
    (select) => `(SELECT * FROM (${select}) line WHERE (at, key) > ($2, $3) ORDER BY at, key LIMIT ${maxLines})`,
  );
  return `SELECT * FROM (${limited.join(' UNION ALL ')}) lines ORDER BY at, key LIMIT ${maxLines}`;
}

const lineParameters = { account: sessionTable.account, afterAt: sessionTable.createdAt, afterKey: sessionTable.id };
const lineColumns = { at: sql.notNull(sql.timestamptz), key: sql.notNull(sql.text), fields };

/** Returns the next lines of sessions. */
export const sessionLines = new Statement({
  name: 'session-lines',
  text: selectLines(`
    SELECT created_at AS at, id AS key, jsonb_build_object('id', id, 'browser', browser, 'ip', ip,
      'created_at', ${iso('created_at')}, 'renewed_at', ${iso('renewed_at')}, 'expires_at', ${iso('expires_at')},
      'revoked_at', ${iso('revoked_at')}) AS fields
    FROM session WHERE account = $1`),
  parameters: lineParameters,
  columns: lineColumns,
});

const relationFields = (username: string) =>
  `jsonb_build_object('username', ${username}, 'since', ${iso('created_at')}) AS fields`;

/** Returns the next lines of friends. */
export const friendLines = new Statement({
  name: 'friend-lines',
  text: selectLines(
    `SELECT created_at AS at, second AS key, ${relationFields('second')} FROM friendship WHERE first = $1`,
    `SELECT created_at AS at, first AS key, ${relationFields('first')} FROM friendship WHERE second = $1`,
  ),
  parameters: lineParameters,
  columns: lineColumns,
});

/** Returns the next lines of accounts that the account blocks. */
export const blockedLines = new Statement({
  name: 'blocked-lines',
  text: selectLines(
    `SELECT created_at AS at, blocked AS key, ${relationFields('blocked')} FROM block WHERE blocker = $1`,
  ),
  parameters: lineParameters,
  columns: lineColumns,
});

const requestFields = `
  SELECT created_at AS at, id AS key, jsonb_build_object('id', id, 'from', requester, 'to', addressee,
    'timestamp', ${iso('created_at')}) AS fields
  FROM friend_request`;

/** Returns the next lines of friend requests, sent and received. */
export const friendRequestLines = new Statement({
  name: 'friend-request-lines',
  text: selectLines(`${requestFields} WHERE requester = $1`, `${requestFields} WHERE addressee = $1`),
  parameters: lineParameters,
  columns: lineColumns,
});

/** SQL for a value that everyone may see of a channel, but only members of a dm or group; otherwise null. */
const ifVisible = (value: string) => `CASE WHEN c.type = 'channel' OR mine.status = 'member' THEN ${value} END`;

/** Returns the line of the first conversation after `$2`. */
export const conversationLine = new Statement({
  name: 'conversation-line',
  text: `
    SELECT c.id, jsonb_build_object('id', c.id, 'conversation_type', c.type, 'name', ${ifVisible('c.name')},
      'creator', ${ifVisible('c.creator')}, 'with', CASE $1 WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END, 'status', mine.status,
      'moderator', mine.made_moderator IS NOT NULL, 'hidden', mine.hidden, 'followed_at', ${iso('mine.followed_at')},
      'left_at', ${iso('mine.left_at')}, 'read_seq', mine.acknowledged_seq, 'receipt_seq', mine.receipt_seq,
      'read_at', ${iso('mine.acknowledged_at')}, 'muted', mine.muted, 'favourite', mine.favourite,
      'draft', CASE WHEN d.text IS NOT NULL THEN jsonb_build_object('text', d.text, 'reply_to_seq', d.reply_to_seq,
        'updated_at', ${iso('d.updated_at')}) END) AS fields
    FROM (SELECT * FROM member WHERE account = $1 AND conversation_id > $2 ORDER BY conversation_id LIMIT 1) mine
    JOIN conversation c ON c.id = mine.conversation_id
    LEFT JOIN draft d ON d.account = $1 AND d.conversation_id = c.id`,
  parameters: { account: memberTable.account, after: memberTable.conversationId },
  columns: { id: sql.notNull(conversationTable.id), fields },
});

/**
 * SQL for the account's own rows of one type in the range.
 *
 * @param from the table, and how the rows belong to account `$2`
 * @param values SQL for the fields besides the conversation and the sequence number
 * @param key SQL that distinguishes rows with the same sequence number
 */
const selectOwn = (type: string, from: string, values: string, { seq = 'seq', at = 'at', key = `''` } = {}) => `
  (SELECT ${seq} AS seq, '${type}' AS type, ${key} AS key,
          jsonb_build_object(${values}, 'timestamp', ${iso(at)}) AS fields
   FROM ${from} AND conversation_id = $1 AND ${seq} >= $3 AND ${seq} < $3 + ${maxSeqs}
     AND (${seq}, '${type}' COLLATE "C", ${key} COLLATE "C") > ($3, $4, $5)
   ORDER BY ${seq}, ${key} COLLATE "C" LIMIT ${opaqueLimit(maxLines + 1)})`;

/** SQL for the account's own rows of all types in the range. */
const selectContents = [
  selectOwn(
    'message',
    // An index-only scan finds the account's messages, which may be few among many. One more is needed than for other
    // rows, since the first may be the last line of the read before.
    `(SELECT seq AS own_seq FROM message
      WHERE conversation_id = $1 AND seq >= $3 AND seq < $3 + ${maxSeqs} AND sender = $2
      ORDER BY seq LIMIT ${opaqueLimit(maxLines + 2)}) own
     CROSS JOIN LATERAL (SELECT * FROM message WHERE conversation_id = $1 AND seq = own_seq LIMIT 1) message WHERE true`,
    `'id', id, 'to', recipient, 'content', content, 'client_id', client_id, 'reply_to_seq', reply_to_seq,
     'revision', revision, 'edited_at', ${iso('edited_at')}, 'attachments', attachments, 'mentions', mentions,
     'deleted_at', ${iso('deleted_at')}`,
    { at: 'sent_at' },
  ),
  selectOwn(
    'revision',
    `message_revision r WHERE (SELECT sender FROM message WHERE conversation_id = $1 AND seq = r.seq) = $2`,
    `'revision', revision, 'content', content`,
    { key: `lpad(revision::text, 10, '0')` },
  ),
  selectOwn('reaction', 'reaction WHERE account = $2', `'emoji', emoji`, { key: 'emoji' }),
  selectOwn('pin', 'pin WHERE account = $2', `'seq', seq`),
  selectOwn('mention', 'mention WHERE account = $2', `'seq', message_seq, 'by', sender`),
  selectOwn(
    'change',
    'conversation_change WHERE (by = $2 OR username = $2)',
    `'change', type, 'by', by, 'username', username, 'name', name`,
  ),
].join(' UNION ALL ');

/**
 * Returns the next lines of a conversation's contents, in `maxSeqs` sequence numbers from `$3` on. One row without a
 * line if there are none.
 */
export const contentLines = new Statement({
  name: 'content-lines',
  text: `
    SELECT c.last_seq, page.seq, page.type, page.key, page.fields, page.has_next
    FROM conversation c
    LEFT JOIN LATERAL (${selectPage(
      `SELECT *, octet_length(fields::text) + 200 AS bytes FROM (${selectContents}) content
       ORDER BY seq, type COLLATE "C", key COLLATE "C" LIMIT ${opaqueLimit(maxLines + 1)}`,
      maxLines + 1,
      'seq, type COLLATE "C", key COLLATE "C"',
    )}) page ON true
    WHERE c.id = $1
    ORDER BY page.seq, page.type COLLATE "C", page.key COLLATE "C"`,
  parameters: {
    conversationId: conversationTable.id,
    account: messageTable.sender,
    fromSeq: messageTable.seq,
    afterType: sql.text,
    afterKey: sql.text,
  },
  columns: {
    last_seq: sql.notNull(conversationTable.lastSeq),
    seq: sql.nullable(messageTable.seq),
    type: sql.nullable(sql.text),
    key: sql.nullable(sql.text),
    fields: sql.nullable(sql.jsonb<Record<string, unknown>>()),
    has_next: sql.nullable(pageColumns.has_next),
  },
});
