import { sql, Statement } from '@waggle/service';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { messageTable } from '../log/message.entity';
import { reactionTable } from '../log/reaction.entity';

/** Takes a lock that lasts as long as the connection. */
export const tryLockImports = new Statement({
  name: 'lock-imports',
  text: `SELECT pg_try_advisory_lock(hashtextextended('import', 0)) AS locked`,
  parameters: {},
  columns: { locked: sql.notNull(sql.bool) },
});

export const startConversation = new Statement({
  name: 'start-imported-conversation',
  text: `
    INSERT INTO conversation (id, type, creator, name, dm_first, dm_second, created_at, updated_at, oldest_since)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7) ON CONFLICT DO NOTHING`,
  parameters: {
    id: conversationTable.id,
    type: conversationTable.type,
    creator: conversationTable.creator,
    name: conversationTable.name,
    first: conversationTable.dmFirst,
    second: conversationTable.dmSecond,
    at: conversationTable.createdAt,
  },
  columns: {},
});

export const importedConversation = new Statement({
  name: 'imported-conversation',
  text: `
    SELECT type, last_seq, last_message_at,
           (SELECT id FROM message WHERE conversation_id = c.id ORDER BY seq DESC LIMIT 1) AS last_id,
           (SELECT true FROM member WHERE conversation_id = c.id LIMIT 1) IS TRUE AS has_members
    FROM conversation c WHERE id = $1`,
  parameters: { id: conversationTable.id },
  columns: {
    type: conversationTable.type,
    last_seq: conversationTable.lastSeq,
    last_message_at: conversationTable.lastMessageAt,
    last_id: sql.nullable(messageTable.id),
    has_members: sql.notNull(sql.bool),
  },
});

export const showChannel = new Statement({
  name: 'show-imported-channel',
  text: `UPDATE conversation SET type = 'channel' WHERE id = $1`,
  parameters: { id: conversationTable.id },
  columns: {},
});

export const seqsOfMessages = new Statement({
  name: 'seqs-of-messages',
  // The tables grow too fast for statistics. Even so, the range and ORDER BY make the planner use the index of ids, and
  // not read the whole conversation. A stored plan would fit the size at the beginning.
  isPrepared: false,
  text: `
    SELECT wanted.id, found.seq
    FROM unnest($2::text[]) AS wanted (id)
    CROSS JOIN LATERAL (
      SELECT seq FROM message WHERE conversation_id = $1 AND id BETWEEN wanted.id AND wanted.id ORDER BY id LIMIT 1
    ) found`,
  parameters: { conversationId: messageTable.conversationId, ids: sql.arrayOf(messageTable.id) },
  columns: { id: sql.notNull(messageTable.id), seq: messageTable.seq },
});

/** Appends messages with given sequence numbers and times to a locked conversation. */
export const appendImported = new Statement({
  name: 'append-imported-messages',
  text: `
    WITH advanced AS (
      UPDATE conversation SET last_seq = $2, last_message_at = $3, updated_at = greatest(updated_at, $3) WHERE id = $1
    ), logged AS (
      INSERT INTO commit_log (at, streams, seqs) VALUES (clock_timestamp(), ARRAY[$1], ARRAY[$2])
    )
    INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at, reply_to_seq, edited_at, revision)
    SELECT $1, m.*, CASE WHEN m.edited_at IS NOT NULL THEN 1 END
    FROM unnest($4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::bigint[], $11::timestamptz[])
      AS m (seq, id, sender, recipient, content, sent_at, reply_to_seq, edited_at)`,
  parameters: {
    conversationId: conversationTable.id,
    lastSeq: conversationTable.lastSeq,
    lastMessageAt: sql.notNull(conversationTable.lastMessageAt),
    seqs: sql.arrayOf(messageTable.seq),
    ids: sql.arrayOf(messageTable.id),
    senders: sql.arrayOf(messageTable.sender),
    recipients: sql.arrayOf(messageTable.recipient),
    contents: sql.arrayOf(messageTable.content),
    times: sql.arrayOf(messageTable.sentAt),
    replyToSeqs: sql.arrayOf(messageTable.replyToSeq),
    editTimes: sql.arrayOf(messageTable.editedAt),
  },
  columns: {},
});

export const insertImportedReactions = new Statement({
  name: 'insert-imported-reactions',
  text: `
    INSERT INTO reaction (conversation_id, seq, emoji, account, at)
    SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::timestamptz[])`,
  parameters: {
    conversationId: reactionTable.conversationId,
    seqs: sql.arrayOf(reactionTable.seq),
    emojis: sql.arrayOf(reactionTable.emoji),
    accounts: sql.arrayOf(reactionTable.account),
    times: sql.arrayOf(reactionTable.at),
  },
  columns: {},
});

/** Adds the members of a locked conversation, who have read everything in it. */
export const insertImportedMembers = new Statement({
  name: 'insert-imported-members',
  text: `
    INSERT INTO member (conversation_id, account, made_moderator, joined_seq, acknowledged_seq, receipt_seq)
    SELECT id, account, CASE WHEN is_moderator THEN nextval('member_order') END, last_seq, last_seq, last_seq
    FROM conversation CROSS JOIN unnest($2::text[], $3::bool[]) WITH ORDINALITY AS listed (account, is_moderator, n)
    WHERE id = $1 ORDER BY n`,
  parameters: {
    conversationId: memberTable.conversationId,
    accounts: sql.arrayOf(memberTable.account),
    areModerators: sql.arrayOf(sql.bool),
  },
  columns: {},
});
