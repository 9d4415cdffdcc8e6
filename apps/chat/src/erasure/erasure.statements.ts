import { erasedAccount } from '@waggle/contracts';
import { sql, Statement } from '@waggle/service';
import { conversationTable } from '../log/conversation.entity';
import { eventTable } from '../log/event.entity';
import { memberTable } from '../log/member.entity';
import { messageTable } from '../log/message.entity';
import { reactionTable } from '../log/reaction.entity';
import { opaqueLimit } from '../opaque-limit';
import { friendshipTable } from '../relations/friendship.entity';
import { erasureTable } from '../sessions/erasure.entity';
import { sessionTable } from '../sessions/session.entity';

/** Maximum number of messages, and of reactions, that a batch erases. Each is an event in one entry. */
export const maxErased = 20;
/** Maximum number of entries of a conversation that a batch searches. */
export const maxSeqs = 5_000;
/** Maximum number of reactions of all accounts to them that a batch searches. */
const maxScannedReactions = 20_000;
/** Maximum number of rows that a batch deletes from a table without conversations. */
export const maxRows = 1_000;

/**
 * Time after which a request is executed: connections of the account are closed within a second, what they have sent is
 * stored within a few seconds, and a log-in signed before the request expires.
 */
const delay = `interval '1 minute'`;

/** The pause after a batch: a factor of its duration, and a minimum. Requests of users take precedence. */
const pause = `greatest(4 * (clock_timestamp() - now()), interval '50 ms')`;
/** The pause of an erasure after an error. */
const errorPause = `interval '30 s'`;

const ofAccount = { account: erasureTable.account };

/**
 * Requests an erasure. Returns no row if one is pending, or if the signature is not newer than the last one.
 */
export const requestErasure = new Statement({
  name: 'request-erasure',
  text: `
    INSERT INTO erasure AS former (account, signed_at, next_at) VALUES ($1, $2, now() + ${delay})
    ON CONFLICT (account) DO UPDATE
      SET signed_at = excluded.signed_at, requested_at = now(), started_at = NULL, finished_at = NULL, kept_from = NULL,
          conversation_id = '', seq = NULL, next_at = excluded.next_at
      WHERE former.finished_at IS NOT NULL AND former.signed_at < excluded.signed_at
    RETURNING requested_at`,
  parameters: { ...ofAccount, signedAt: erasureTable.signedAt },
  columns: { requested_at: erasureTable.requestedAt },
});

/** Returns the accounts that are being erased, the ones whose next batch may begin first. */
export const pendingErasures = new Statement({
  name: 'pending-erasures',
  text: `
    SELECT account, next_at <= now() AS is_due, extract(epoch FROM now() - min(requested_at) OVER ())::float8 AS oldest_age
    FROM erasure WHERE finished_at IS NULL ORDER BY next_at LIMIT 100`,
  parameters: {},
  columns: {
    account: erasureTable.account,
    is_due: sql.notNull(sql.bool),
    /** The age of the oldest request, in seconds. */
    oldest_age: sql.notNull(sql.float8),
  },
});

/** Locks an erasure whose next batch may begin, and returns its progress; no row if another instance has locked it. */
export const lockErasure = new Statement({
  name: 'lock-erasure',
  text: `
    SELECT started_at, kept_from, conversation_id, seq FROM erasure
    WHERE account = $1 AND finished_at IS NULL AND next_at <= clock_timestamp() FOR UPDATE SKIP LOCKED`,
  parameters: ofAccount,
  columns: {
    started_at: erasureTable.startedAt,
    kept_from: erasureTable.keptFrom,
    conversation_id: erasureTable.conversationId,
    seq: erasureTable.seq,
  },
});

/** Records that the first batch has begun. */
export const startErasure = new Statement({
  name: 'start-erasure',
  text: 'UPDATE erasure SET started_at = now() WHERE account = $1 RETURNING started_at',
  parameters: ofAccount,
  columns: { started_at: sql.notNull(erasureTable.startedAt) },
});

/** Records the progress among the conversations of the account. */
export const saveErasure = new Statement({
  name: 'save-erasure',
  text: 'UPDATE erasure SET conversation_id = $2, seq = $3 WHERE account = $1',
  parameters: { ...ofAccount, conversationId: erasureTable.conversationId, seq: erasureTable.seq },
  columns: {},
});

/** Sets when the next batch may begin. */
export const pauseErasure = new Statement({
  name: 'pause-erasure',
  text: `UPDATE erasure SET next_at = clock_timestamp() + ${pause} WHERE account = $1`,
  parameters: ofAccount,
  columns: {},
});

/** Sets when a batch may begin after an error. */
export const postponeErasure = new Statement({
  name: 'postpone-erasure',
  text: `UPDATE erasure SET next_at = now() + ${errorPause} WHERE account = $1`,
  parameters: ofAccount,
  columns: {},
});

export const finishErasure = new Statement({
  name: 'finish-erasure',
  text: 'UPDATE erasure SET finished_at = now() WHERE account = $1',
  parameters: ofAccount,
  columns: {},
});

export const revokeSessions = new Statement({
  name: 'revoke-sessions',
  text: 'UPDATE session SET revoked_at = now() WHERE account = $1 AND revoked_at IS NULL',
  parameters: { account: sessionTable.account },
  columns: {},
});

export const eraseSessions = new Statement({
  name: 'erase-sessions',
  // Instances close the connections of revoked sessions by their ids. Retention deletes the rows a day later. A proof
  // would identify the account.
  text: `
    UPDATE session
    SET account = '${erasedAccount}', browser = NULL, ip = NULL, signing_key = '', proof = sha256(id::bytea),
        revoked_at = coalesce(revoked_at, now())
    WHERE account = $1`,
  parameters: { account: sessionTable.account },
  columns: {},
});

/** Returns an account that this one is a friend of, blocks, or has a friend request from or to. */
export const nextRelation = new Statement({
  name: 'next-relation',
  text: `
    (SELECT second AS other FROM friendship WHERE first = $1 AND created_at < $2 LIMIT 1)
    UNION ALL (SELECT first FROM friendship WHERE second = $1 AND created_at < $2 LIMIT 1)
    UNION ALL (SELECT blocked FROM block WHERE blocker = $1 AND created_at < $2 LIMIT 1)
    UNION ALL (SELECT addressee FROM friend_request WHERE requester = $1 AND created_at < $2 LIMIT 1)
    UNION ALL (SELECT requester FROM friend_request WHERE addressee = $1 AND created_at < $2 LIMIT 1)
    LIMIT 1`,
  parameters: { account: friendshipTable.first, before: friendshipTable.createdAt },
  columns: { other: sql.notNull(friendshipTable.second) },
});

const ofConversation = { conversationId: memberTable.conversationId, account: memberTable.account };

/** Returns the next conversation of the account, with or without the one that the progress names (`$3`). */
export const nextConversation = new Statement({
  name: 'next-conversation',
  text: `
    SELECT conversation_id FROM member JOIN conversation c ON c.id = conversation_id
    WHERE account = $1 AND conversation_id >= $2 AND (conversation_id > $2 OR $3) AND c.created_at < $4
    ORDER BY conversation_id LIMIT 1`,
  parameters: {
    account: memberTable.account,
    from: memberTable.conversationId,
    isIncluded: sql.bool,
    before: conversationTable.createdAt,
  },
  columns: { conversation_id: memberTable.conversationId },
});

export const lastSeqOf = new Statement({
  name: 'last-seq-of-conversation',
  text: 'SELECT last_seq FROM conversation WHERE id = $1',
  parameters: { id: conversationTable.id },
  columns: { last_seq: conversationTable.lastSeq },
});

/** The parameters of `range`. */
const inRange = { ...ofConversation, afterSeq: messageTable.seq, toSeq: messageTable.seq };
/** SQL for rows of conversation `$1` after sequence number `$3`, up to `$4`. */
const range = (seq = 'seq') => `conversation_id = $1 AND ${seq} > $3 AND ${seq} <= $4`;

/** Returns the reactions of the account to messages in a range, in order, at most `maxErased`. */
export const reactionsInRange = new Statement({
  name: 'reactions-in-range',
  text: `
    SELECT given.seq, given.emoji, message.id
    FROM (SELECT seq, emoji FROM reaction WHERE ${range()} AND account = $2 ORDER BY seq LIMIT ${opaqueLimit(maxErased)}) given
    LEFT JOIN LATERAL (
      SELECT id FROM message WHERE conversation_id = $1 AND seq = given.seq AND deleted_at IS NULL LIMIT 1
    ) message ON true
    ORDER BY given.seq`,
  parameters: inRange,
  columns: {
    seq: sql.notNull(reactionTable.seq),
    emoji: sql.notNull(reactionTable.emoji),
    /** Null if the message is deleted. */
    id: sql.nullable(messageTable.id),
  },
});

/** Returns where the reactions of all accounts in a range exceed `maxScannedReactions`; no row if they do not. */
export const reactionsEnd = new Statement({
  name: 'reactions-end',
  text: `SELECT seq FROM reaction WHERE conversation_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq OFFSET ${maxScannedReactions} LIMIT 1`,
  parameters: { conversationId: reactionTable.conversationId, afterSeq: reactionTable.seq, toSeq: reactionTable.seq },
  columns: { seq: reactionTable.seq },
});

/**
 * Empties the messages of the account in a range and marks them as deleted, at most `maxErased`. Returns them in order;
 * `is_shown` is true for messages that were not deleted before.
 */
export const eraseMessages = new Statement({
  name: 'erase-messages',
  // The rows keep their place, id and time. An index-only scan finds them, since they may be few among many.
  text: `
    WITH own AS MATERIALIZED (
      SELECT seq, deleted_at IS NULL AS is_shown FROM message
      WHERE ${range()} AND sender = $2 AND sent_at < coalesce($5::timestamptz, 'infinity') ORDER BY seq LIMIT ${opaqueLimit(maxErased)}
    ), erased AS (
      UPDATE message
      SET sender = '${erasedAccount}', content = '', client_id = NULL, reply_to_seq = NULL, revision = NULL, edited_at = NULL,
          attachments = NULL, mentions = NULL, deleted_at = coalesce(deleted_at, now())
      -- An array, since for a join the planner may read the whole table.
      WHERE conversation_id = $1 AND seq = ANY(ARRAY(SELECT seq FROM own)) RETURNING seq, id
    ), revisions AS (
      DELETE FROM message_revision USING own WHERE conversation_id = $1 AND message_revision.seq = own.seq
    ), pins AS (
      DELETE FROM pin USING own WHERE conversation_id = $1 AND pin.seq = own.seq
    ), mentions AS (
      DELETE FROM mention USING own WHERE conversation_id = $1 AND message_seq = own.seq
    ), indexed AS (
      INSERT INTO search_edit (conversation_id, seq, revision) SELECT $1, seq, -1 FROM own WHERE $6 ON CONFLICT DO NOTHING
    )
    SELECT seq, id, is_shown FROM own JOIN erased USING (seq) ORDER BY seq`,
  parameters: { ...inRange, keptFrom: erasureTable.keptFrom, isIndexed: sql.bool },
  columns: { seq: messageTable.seq, id: messageTable.id, is_shown: sql.notNull(sql.bool) },
});

/**
 * Removes what else has the account's name in a range. Pins and changes of members concern others too, so they stay
 * without the name. Edits of erased messages lose their texts.
 */
export const eraseTraces = new Statement({
  name: 'erase-traces',
  text: `
    WITH reactions AS (
      DELETE FROM reaction WHERE ${range()} AND account = $2
    ), mentions AS (
      DELETE FROM mention WHERE ${range()} AND account = $2
    ), pins AS (
      UPDATE pin SET account = '${erasedAccount}' WHERE ${range()} AND account = $2
    ), changes AS (
      UPDATE conversation_change
      SET by = CASE by WHEN $2 THEN '${erasedAccount}' ELSE by END, username = CASE username WHEN $2 THEN '${erasedAccount}' ELSE username END
      WHERE ${range()} AND (by = $2 OR username = $2)
    )
    UPDATE event SET events = '[]'
    WHERE stream = $1 AND seq > $3 AND seq <= $4 AND events -> 0 ->> 'type' = 'message-edited'
      AND (SELECT sender FROM message WHERE conversation_id = $1 AND id = events -> 0 -> 'payload' ->> 'id') = '${erasedAccount}'`,
  parameters: inRange,
  columns: {},
});

/**
 * Removes the row of the membership, or empties it: a ban stays, the other account of a dm still needs the row, and
 * messages that a replay keeps are found by it.
 */
export const eraseMember = new Statement({
  name: 'erase-member',
  text: `
    WITH kept AS (
      UPDATE member
      SET hidden = c.type = 'dm', acknowledged_seq = c.last_seq, acknowledged_at = NULL, muted = false, favourite = false,
          left_at = CASE WHEN $3 THEN left_at END, left_seq = CASE WHEN $3 THEN left_seq END, followed_at = NULL
      FROM conversation c
      WHERE member.conversation_id = $1 AND account = $2 AND c.id = $1 AND (c.type = 'dm' OR status = 'banned' OR $3) RETURNING 1
    )
    DELETE FROM member WHERE conversation_id = $1 AND account = $2 AND NOT EXISTS (SELECT FROM kept)`,
  parameters: { ...ofConversation, isReplay: sql.bool },
  columns: {},
});

/** Removes the account's name and idempotency key from a conversation that it created. */
export const eraseCreator = new Statement({
  name: 'erase-creator',
  text: `
    UPDATE conversation
    SET creator = CASE WHEN creator = $2 AND type <> 'dm' THEN '${erasedAccount}' ELSE creator END,
        client_id = CASE client_creator WHEN $2 THEN NULL ELSE client_id END, client_creator = nullif(client_creator, $2)
    WHERE id = $1 AND (creator = $2 OR client_creator = $2)`,
  parameters: { id: conversationTable.id, account: conversationTable.creator },
  columns: {},
});

/** Deletes entries of the account's own stream, at most `maxRows`. */
export const eraseOwnEvents = new Statement({
  name: 'erase-own-events',
  text: `DELETE FROM event WHERE ctid = ANY(ARRAY(SELECT ctid FROM event WHERE stream = $1 LIMIT ${maxRows}))`,
  parameters: { account: eventTable.stream },
  columns: {},
});

/** Deletes mentions of the account, at most `maxRows`: also in channels that it has no membership of. */
export const eraseMentions = new Statement({
  name: 'erase-mentions',
  text: `DELETE FROM mention WHERE ctid = ANY(ARRAY(SELECT ctid FROM mention WHERE account = $1 LIMIT ${maxRows}))`,
  parameters: ofAccount,
  columns: {},
});

export const eraseDrafts = new Statement({
  name: 'erase-drafts',
  text: 'DELETE FROM draft WHERE account = $1',
  parameters: ofAccount,
  columns: {},
});

export const eraseSettings = new Statement({
  name: 'erase-settings',
  text: 'DELETE FROM setting WHERE account = $1',
  parameters: ofAccount,
  columns: {},
});
