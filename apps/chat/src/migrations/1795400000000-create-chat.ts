import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Partitions of the messages. With a billion messages each has 60 million, which one server vacuums in minutes. */
const partitionCount = 16;

/** The entities document the columns, and docs/chat-storage.md has the reasons and figures of the indexes. */
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
    proof            bytea NOT NULL,
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
    type            text NOT NULL,
    name            text,
    creator         text NOT NULL,
    dm_first        text COLLATE "C",
    dm_second       text COLLATE "C",
    blocked         boolean NOT NULL DEFAULT false,
    client_creator  text,
    client_id       text,
    last_seq        bigint NOT NULL DEFAULT 0,
    changed_seq     bigint NOT NULL DEFAULT 0,
    last_message_at timestamptz(3),
    created_at      timestamptz(3) NOT NULL DEFAULT now(),
    updated_at      timestamptz(3) NOT NULL DEFAULT now(),
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
  -- Every acknowledgment updates a row, hence the fillfactor.
  CREATE TABLE member (
    conversation_id  text NOT NULL REFERENCES conversation (id),
    account          text NOT NULL,
    status           text NOT NULL DEFAULT 'member' CHECK (status IN ('member', 'reader', 'banned', 'left')),
    joined           bigint NOT NULL DEFAULT nextval('member_order'),
    made_moderator   bigint,
    joined_seq       bigint NOT NULL DEFAULT 0,
    left_seq         bigint,
    left_at          timestamptz(3),
    left_voluntarily boolean,
    followed_at      timestamptz(3),
    hidden           boolean NOT NULL DEFAULT false,
    acknowledged_seq bigint NOT NULL DEFAULT 0,
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
    seq             bigint NOT NULL,
    id              text NOT NULL,
    sender          text NOT NULL,
    recipient       text,
    content         text NOT NULL,
    sent_at         timestamptz(3) NOT NULL,
    deleted_at      timestamptz(3),
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
  CREATE TABLE event (
    stream        text NOT NULL,
    seq           bigint NOT NULL,
    at            timestamptz(3) NOT NULL,
    events        jsonb NOT NULL,
    joins         text[] NOT NULL DEFAULT '{}',
    leaves        text[] NOT NULL DEFAULT '{}',
    subscriptions jsonb NOT NULL DEFAULT '[]',
    PRIMARY KEY (stream, seq)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05);
  CREATE INDEX event_at ON event (at);
  CREATE INDEX event_stream_at ON event (stream, at);

  CREATE TABLE account_stream (
    account  text PRIMARY KEY,
    last_seq bigint NOT NULL
  );

  -- Rows come and go all the time, so vacuum runs after a number of changes: after a fifth of the table, the default, the table would grow.
  CREATE TABLE commit_log (
    at      timestamptz(3) NOT NULL,
    streams text[] NOT NULL,
    seqs    bigint[] NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
  CREATE INDEX commit_log_at ON commit_log (at);
`;
