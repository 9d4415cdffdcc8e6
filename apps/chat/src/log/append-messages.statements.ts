import { sql, Statement } from '@waggle/service';
import { conversationTable } from './conversation.entity';
import { mentionTable } from './mention.entity';
import { newBody } from './message-body';
import { messageTable } from './message.entity';

/**
 * Appends messages of any number of conversations in one statement: one round trip and one commit.
 *
 * - `locked`: locks the conversations until the commit, so that the order of `seq` is the order of commits, and in the
 *   order of their ids, so that batches do not deadlock.
 * - `numbered`: the conversations to store in. It lacks those with an entry after the authorization that may have
 *   changed who may write: their messages have to be authorized again.
 * - `at`: the time of the first new message. Each message is at least one millisecond later than the message before it,
 *   even if the clock stands still or goes backwards.
 *
 * Returns a row for each of `numbered`, with the sequence number before the first new message.
 */
export const insertMessages = new Statement({
  name: 'append-messages',
  text: `
  WITH locked AS MATERIALIZED (
    SELECT id, last_seq, last_message_at, changed_seq FROM conversation WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE
  ), numbered AS MATERIALIZED (
    SELECT l.id, l.last_seq, t.message_count,
           greatest(date_trunc('milliseconds', clock_timestamp()), l.last_message_at + interval '1 millisecond') AS at
    FROM locked l JOIN unnest($1::text[], $2::bigint[], $3::int[]) AS t (id, authorized_seq, message_count) ON t.id = l.id
    WHERE l.changed_seq <= t.authorized_seq
  ), advanced AS (
    UPDATE conversation c
    SET last_seq = n.last_seq + n.message_count,
        last_message_at = n.at + (n.message_count - 1) * interval '1 millisecond',
        updated_at = greatest(c.updated_at, n.at + (n.message_count - 1) * interval '1 millisecond')
    FROM numbered n WHERE c.id = n.id
  ), stored AS (
    INSERT INTO message (conversation_id, seq, id, sender, recipient, client_id, sent_at, ${newBody.names})
    SELECT n.id, n.last_seq + m.position, m.id, m.sender, m.recipient, m.client_id,
           n.at + (m.position - 1) * interval '1 millisecond', ${newBody.selectFrom('m')}
    FROM unnest($4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], ${newBody.arrays.placeholders(10)})
      AS m (conversation_id, position, id, sender, recipient, client_id, ${newBody.names})
    JOIN numbered n ON n.id = m.conversation_id
    RETURNING conversation_id, seq, id, sender, sent_at
  ), mentioned AS (
    INSERT INTO mention (account, conversation_id, seq, message_seq, sender, at)
    SELECT m.account, stored.conversation_id, stored.seq, stored.seq, stored.sender, stored.sent_at
    FROM unnest($${10 + newBody.columnCount}::text[], $${11 + newBody.columnCount}::text[]) AS m (account, id) JOIN stored ON stored.id = m.id
  ), logged AS (
    INSERT INTO commit_log (at, streams, seqs)
    SELECT clock_timestamp(), array_agg(id), array_agg(last_seq + message_count) FROM numbered HAVING count(*) > 0
  )
  SELECT id, last_seq, at FROM numbered`,
  parameters: {
    conversationIds: sql.arrayOf(conversationTable.id),
    authorizedSeqs: sql.arrayOf(conversationTable.changedSeq),
    messageCounts: sql.arrayOf(sql.int4),
    conversationIdOfEach: sql.arrayOf(messageTable.conversationId),
    /** The position of each message among the messages of its conversation, from 1. */
    positions: sql.arrayOf(sql.int4),
    ids: sql.arrayOf(messageTable.id),
    senders: sql.arrayOf(messageTable.sender),
    recipients: sql.arrayOf(messageTable.recipient),
    clientIds: sql.arrayOf(messageTable.clientId),
    ...newBody.arrays.parameters,
    mentionedAccounts: sql.arrayOf(mentionTable.account),
    /** The message that mentions each of these accounts. */
    mentionIds: sql.arrayOf(messageTable.id),
  },
  columns: { id: conversationTable.id, last_seq: conversationTable.lastSeq, at: sql.notNull(messageTable.sentAt) },
});

/**
 * Appends a single message, the usual case at low load. Without joins and arrays the server needs a third of the time
 * of `insertMessages`.
 */
export const insertMessage = new Statement({
  name: 'append-message',
  text: `
  WITH advanced AS (
    UPDATE conversation
    SET last_seq = last_seq + 1,
        last_message_at = greatest(statement_timestamp(), last_message_at + interval '1 millisecond'),
        updated_at = greatest(updated_at, statement_timestamp(), last_message_at + interval '1 millisecond')
    WHERE id = $1 AND changed_seq <= $2
    RETURNING id, last_seq, last_message_at
  ), logged AS (
    INSERT INTO commit_log (at, streams, seqs) SELECT clock_timestamp(), ARRAY[id], ARRAY[last_seq] FROM advanced
  ), stored AS (
    INSERT INTO message (conversation_id, seq, id, sender, recipient, client_id, sent_at, ${newBody.names})
    SELECT id, last_seq, $3, $4, $5, $6, last_message_at, ${newBody.placeholders(7)} FROM advanced
    RETURNING seq, sent_at
  ), mentioned AS (
    INSERT INTO mention (account, conversation_id, seq, message_seq, sender, at)
    SELECT account, $1, seq, seq, $4, sent_at FROM stored CROSS JOIN unnest($${7 + newBody.columnCount}::text[]) AS m (account)
  )
  SELECT seq, sent_at FROM stored`,
  parameters: {
    conversationId: conversationTable.id,
    authorizedSeq: conversationTable.changedSeq,
    id: messageTable.id,
    sender: messageTable.sender,
    recipient: messageTable.recipient,
    clientId: messageTable.clientId,
    ...newBody.parameters,
    mentionedAccounts: sql.arrayOf(mentionTable.account),
  },
  columns: { seq: messageTable.seq, sent_at: messageTable.sentAt },
});
