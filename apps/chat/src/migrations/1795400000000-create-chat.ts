import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Partitions of the messages. With a billion messages each has 60 million, which one server vacuums in minutes. */
const partitionCount = 16;

/** docs/chat-storage.md has the reasons and figures of the indexes. */
export class CreateChat1795400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(accounts);
    await runner.query(conversations);
    await runner.query(messages);
    for (let n = 0; n < partitionCount; n += 1) await runner.query(partition(n));
    await runner.query(log);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE account_stream, commit_log, event, message, member, conversation,
        setting, block, friend_request, friendship, session
    `);
  }
}

const accounts = `
  CREATE TABLE session (
    id               text PRIMARY KEY,
    account          text NOT NULL,
    -- SHA-256 of the account and the signed text of the log-in. Redis may lose it: the unique index below still prevents a second session.
    proof            bytea NOT NULL,
    -- The public key that signed the log-in, compressed (33 bytes), and when the chain last confirmed that the account accepts it.
    signing_key      bytea NOT NULL,
    key_confirmed_at timestamptz(3) NOT NULL DEFAULT now(),
    browser          text,
    ip               text,
    created_at       timestamptz(3) NOT NULL DEFAULT now(),
    renewed_at       timestamptz(3) NOT NULL DEFAULT now(),
    expires_at       timestamptz(3) NOT NULL,
    revoked_at       timestamptz(3)
  );
  CREATE UNIQUE INDEX session_proof ON session (proof);
  -- In the order of the session list, so that a page reads only its own rows.
  CREATE INDEX session_account_created_at ON session (account, created_at, id);
  CREATE INDEX session_expires_at ON session (expires_at);
  -- Every instance reads the latest revocations twice a second.
  CREATE INDEX session_revoked_at ON session (revoked_at) WHERE revoked_at IS NOT NULL;

  CREATE TABLE friendship (
    -- The two accounts in byte order, whatever the locale of the database.
    first      text COLLATE "C" NOT NULL,
    second     text COLLATE "C" NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (first, second),
    CHECK (first < second)
  );
  CREATE INDEX friendship_first ON friendship (first, created_at, second);
  CREATE INDEX friendship_second ON friendship (second, created_at, first);

  CREATE TABLE friend_request (
    id         text PRIMARY KEY,
    requester  text NOT NULL,
    addressee  text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  -- One request per pair: a second one from the other side makes them friends instead.
  CREATE UNIQUE INDEX friend_request_pair ON friend_request
    (least(requester COLLATE "C", addressee COLLATE "C"), greatest(requester COLLATE "C", addressee COLLATE "C"));
  CREATE INDEX friend_request_addressee ON friend_request (addressee, created_at, id);

  CREATE TABLE block (
    blocker    text NOT NULL,
    blocked    text COLLATE "C" NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (blocker, blocked)
  );
  CREATE INDEX block_blocker ON block (blocker, created_at, blocked);

  CREATE TABLE setting (
    account         text PRIMARY KEY,
    dm_from_friends boolean NOT NULL
  );
`;

const conversations = `
  -- No CHECK constraints: every message updates the row of its conversation, and PostgreSQL prepares the checks of a table again
  -- for each statement, which took a quarter of the time of storing a message. The values are written once, by typed code.
  -- The fillfactor leaves space in each page for the new version of a row, so that such an update need not touch the indexes.
  CREATE TABLE conversation (
    id              text PRIMARY KEY,
    -- 'dm', 'group' or 'channel'.
    type            text NOT NULL,
    name            text,
    creator         text NOT NULL,
    -- The two accounts of a dm in byte order, whatever the locale of the database; null for other types.
    dm_first        text COLLATE "C",
    dm_second       text COLLATE "C",
    -- Of a dm: whether one of the two blocks the other.
    blocked         boolean NOT NULL DEFAULT false,
    -- The idempotency key of the request that created a group, and the account that sent it, which need not be the creator for
    -- good. Both are null if there was no key or it has been reused.
    client_creator  text,
    client_id       text,
    last_seq        bigint NOT NULL DEFAULT 0,
    -- The seq of the last entry that is not a message. A message is stored only if its sender was authorized as of this seq.
    changed_seq     bigint NOT NULL DEFAULT 0,
    last_message_at timestamptz(3),
    created_at      timestamptz(3) NOT NULL DEFAULT now(),
    updated_at      timestamptz(3) NOT NULL DEFAULT now(),
    -- Where retention continues: no message is older than this time, and those up to this seq are deleted.
    oldest_since    timestamptz(3) NOT NULL DEFAULT now(),
    removed_seq     bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 90);
  -- One dm per pair, even if several requests create it at once.
  CREATE UNIQUE INDEX conversation_dm ON conversation (dm_first, dm_second) WHERE type = 'dm';
  CREATE UNIQUE INDEX conversation_client_id ON conversation (client_creator, client_id) WHERE client_id IS NOT NULL;
  CREATE INDEX conversation_channels ON conversation (creator) WHERE type = 'channel';
  CREATE INDEX conversation_oldest_since ON conversation (oldest_since);

  -- The order in which accounts became members and moderators: unlike a clock it never has the same value twice.
  CREATE SEQUENCE member_order AS bigint;
  -- An account receives the entries n of a conversation with joined_seq < n <= left_seq, without an upper limit while it is a
  -- member or follows the channel. Every acknowledgment updates a row, hence the fillfactor.
  CREATE TABLE member (
    conversation_id  text NOT NULL REFERENCES conversation (id),
    account          text NOT NULL,
    -- A reader has acknowledged or followed a channel without joining it. A banned account was removed from a channel and
    -- cannot join it again. One that has left a conversation, or was removed from a group, has the status 'left'.
    status           text NOT NULL DEFAULT 'member' CHECK (status IN ('member', 'reader', 'banned', 'left')),
    joined           bigint NOT NULL DEFAULT nextval('member_order'),
    -- Null unless the member is a moderator.
    made_moderator   bigint,
    joined_seq       bigint NOT NULL DEFAULT 0,
    left_seq         bigint,
    left_at          timestamptz(3),
    -- Whether the account left of its own accord: then only a friend may add it again. Null for members.
    left_voluntarily boolean,
    -- Since when a reader follows the channel; null if it does not.
    followed_at      timestamptz(3),
    -- Of a dm: the member has left it and does not see it until there is a message.
    hidden           boolean NOT NULL DEFAULT false,
    acknowledged_seq bigint NOT NULL DEFAULT 0,
    -- Of a dm: what the other account sees of acknowledged_seq. While one of the two blocks the other, it does not change.
    receipt_seq      bigint NOT NULL DEFAULT 0,
    acknowledged_at  timestamptz(3),
    PRIMARY KEY (conversation_id, account)
  ) WITH (fillfactor = 90);
  ALTER SEQUENCE member_order OWNED BY member.joined;
  CREATE INDEX member_account ON member (account, conversation_id);
  -- The channels that an account follows, without those that it has only read.
  CREATE INDEX member_followed_at ON member (account, followed_at) WHERE followed_at IS NOT NULL;
  -- The members and moderators in order, so that a page of a large channel reads only its own rows.
  CREATE INDEX member_joined ON member (conversation_id, joined) INCLUDE (account) WHERE status = 'member';
  CREATE INDEX member_made_moderator ON member (conversation_id, made_moderator) INCLUDE (account)
    WHERE status = 'member' AND made_moderator IS NOT NULL;
`;

const messages = `
  -- Partitioned by conversation: every frequent query names one conversation and so reads one partition. No foreign key to the
  -- conversation: the statement that stores a message has locked its row, and the check would take a third of the time.
  CREATE TABLE message (
    conversation_id text NOT NULL,
    -- The order of the conversation, without gaps; shared with its events.
    seq             bigint NOT NULL,
    id              text NOT NULL,
    sender          text NOT NULL,
    -- The other account of a dm; null for other types.
    recipient       text,
    content         text NOT NULL,
    sent_at         timestamptz(3) NOT NULL,
    deleted_at      timestamptz(3),
    -- The idempotency key of the sender: a message with the same key is not stored again.
    client_id       text,
    -- Includes the columns by which unread messages are counted and sorted, so that an index-only scan is enough.
    PRIMARY KEY (conversation_id, seq) INCLUDE (sender, sent_at, deleted_at)
  ) PARTITION BY HASH (conversation_id);
  CREATE INDEX message_id ON message (id);
  -- Pages of history. Unique, since times strictly increase within a conversation. Without deleted messages, so that a page
  -- behind ten thousand of them is found as fast.
  CREATE UNIQUE INDEX message_sent_at ON message (conversation_id, sent_at) WHERE deleted_at IS NULL;
  CREATE UNIQUE INDEX message_client_id ON message (conversation_id, sender, client_id) WHERE client_id IS NOT NULL;
`;

/**
 * Rows hardly change, so vacuum only has to process new ones: it runs often, does little, and freezes them for good.
 */
function partition(n: number): string {
  return `
    CREATE TABLE message_${n} PARTITION OF message FOR VALUES WITH (MODULUS ${partitionCount}, REMAINDER ${n}) WITH (
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000, autovacuum_freeze_min_age = 0,
      autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
    )`;
}

const log = `
  -- The entries that are not messages, of conversations and of accounts.
  CREATE TABLE event (
    -- The id of a conversation or the name of an account.
    stream        text NOT NULL,
    seq           bigint NOT NULL,
    at            timestamptz(3) NOT NULL,
    -- ChatEvent[] of the code: [{type, payload, to}].
    events        jsonb NOT NULL,
    joins         text[] NOT NULL DEFAULT '{}',
    leaves        text[] NOT NULL DEFAULT '{}',
    -- Of an account: the subscriptions that begin, [{conversation, from}].
    subscriptions jsonb NOT NULL DEFAULT '[]',
    PRIMARY KEY (stream, seq)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05);
  CREATE INDEX event_at ON event (at);
  CREATE INDEX event_stream_at ON event (stream, at);

  -- The last seq of the stream of an account.
  CREATE TABLE account_stream (
    account  text PRIMARY KEY,
    last_seq bigint NOT NULL
  );

  -- One row per commit, deleted after minutes: instances find the commits whose Redis notification they missed. Rows come and go all
  -- the time, so vacuum runs after a number of changes: after a fifth of the table, the default, the table would grow.
  CREATE TABLE commit_log (
    at      timestamptz(3) NOT NULL,
    streams text[] NOT NULL,
    seqs    bigint[] NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
  CREATE INDEX commit_log_at ON commit_log (at);
`;
