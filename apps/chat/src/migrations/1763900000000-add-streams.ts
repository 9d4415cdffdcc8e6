import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Into so many parts messages are divided: of a billion, each holds 60 million, which one server vacuums in minutes. */
const partitions = 16;

export class AddStreams1763900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What happened besides messages, with what is told of it. The stream is a conversation or an account; places are
      -- shared with the messages of the conversation.
      CREATE TABLE event (
        stream text NOT NULL,
        seq    bigint NOT NULL,
        at     timestamptz(3) NOT NULL,
        -- [{type, payload, to}], as the code's ChatEvent.
        told   jsonb NOT NULL,
        joins  text[] NOT NULL DEFAULT '{}',
        leaves text[] NOT NULL DEFAULT '{}',
        PRIMARY KEY (stream, seq)
      );
      CREATE INDEX event_at ON event (at);

      -- One row for each commit, so that instances find what they were not told of. Kept for minutes.
      CREATE TABLE commit_log (
        at            timestamptz(3) NOT NULL,
        streams       text[] NOT NULL,
        seqs          bigint[] NOT NULL,
        -- Accounts that hear a stream since this commit, beside each the stream.
        look_accounts text[] NOT NULL DEFAULT '{}',
        look_streams  text[] NOT NULL DEFAULT '{}'
      );
      CREATE INDEX commit_log_at ON commit_log (at);

      -- The last place in the stream of an account: friendships and blocks.
      CREATE TABLE account_stream (
        account  text PRIMARY KEY,
        last_seq bigint NOT NULL
      );

      ALTER TABLE conversation
        -- The place of its last change; a message is judged by what was known at this place or later.
        ADD COLUMN changed_seq bigint NOT NULL DEFAULT 0,
        -- The creator's own mark on its creation.
        ADD COLUMN client_id text,
        DROP COLUMN version;
      CREATE UNIQUE INDEX conversation_client_id ON conversation (creator, client_id) WHERE client_id IS NOT NULL;

      ALTER TABLE member
        -- Hears the stream from the place after this one, and until left_seq where no longer a member.
        ADD COLUMN joined_seq bigint NOT NULL DEFAULT 0,
        ADD COLUMN left_at timestamptz(3),
        -- Of a dm: the member has left it and does not see it until there is a message.
        ADD COLUMN hidden boolean NOT NULL DEFAULT false,
        -- Since when a reader follows a channel.
        ADD COLUMN followed_at timestamptz(3),
        ADD COLUMN acknowledged_at timestamptz(3),
        DROP CONSTRAINT member_standing_check,
        ADD CONSTRAINT member_standing_check CHECK (standing IN ('member', 'reader', 'kept-out', 'former'));
      UPDATE member SET hidden = true, left_seq = NULL
      FROM conversation c WHERE c.id = conversation_id AND c.type = 'dm' AND left_seq = c.last_seq;

      ALTER TABLE message RENAME TO message_whole;
      ALTER INDEX message_sent_at RENAME TO message_whole_sent_at;
      ALTER TABLE message_whole RENAME CONSTRAINT message_pkey TO message_whole_pkey;
      -- Divided by conversation: every hot query names one, and so looks into one part. No reference to the conversation:
      -- what stores a message holds its row locked, and the check would cost a third of the statement.
      CREATE TABLE message (
        conversation_id text NOT NULL,
        seq             bigint NOT NULL,
        id              text NOT NULL,
        sender          text NOT NULL,
        recipient       text,
        content         text NOT NULL,
        sent_at         timestamptz(3) NOT NULL,
        deleted_at      timestamptz(3),
        -- The sender's own mark: a repeat stores nothing.
        client_id       text,
        PRIMARY KEY (conversation_id, seq)
      ) PARTITION BY HASH (conversation_id);
    `);
    for (let part = 0; part < partitions; part += 1) {
      await runner.query(
        `CREATE TABLE message_${part} PARTITION OF message FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part})`,
      );
    }
    await runner.query(`
      CREATE UNIQUE INDEX message_sent_at ON message (conversation_id, sent_at);
      CREATE INDEX message_id ON message (id);
      CREATE UNIQUE INDEX message_client_id ON message (conversation_id, sender, client_id) WHERE client_id IS NOT NULL;
      INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at, deleted_at)
      SELECT conversation_id, seq, id, sender, recipient, content, sent_at, deleted_at FROM message_whole;
      DROP TABLE message_whole;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE message_whole (
        conversation_id text NOT NULL REFERENCES conversation (id),
        seq             bigint NOT NULL,
        id              text NOT NULL UNIQUE,
        sender          text NOT NULL,
        recipient       text,
        content         text NOT NULL,
        sent_at         timestamptz(3) NOT NULL,
        deleted_at      timestamptz(3),
        PRIMARY KEY (conversation_id, seq)
      );
      INSERT INTO message_whole
      SELECT conversation_id, seq, id, sender, recipient, content, sent_at, deleted_at FROM message;
      DROP TABLE message, event, commit_log, account_stream;
      ALTER TABLE message_whole RENAME TO message;
      CREATE UNIQUE INDEX message_sent_at ON message (conversation_id, sent_at);
      UPDATE member SET left_seq = c.last_seq FROM conversation c WHERE c.id = conversation_id AND hidden;
      DELETE FROM member WHERE standing = 'former';
      ALTER TABLE member
        DROP CONSTRAINT member_standing_check,
        ADD CONSTRAINT member_standing_check CHECK (standing IN ('member', 'reader', 'kept-out')),
        DROP COLUMN acknowledged_at, DROP COLUMN followed_at, DROP COLUMN hidden, DROP COLUMN left_at, DROP COLUMN joined_seq;
      DROP INDEX conversation_client_id;
      ALTER TABLE conversation DROP COLUMN client_id, DROP COLUMN changed_seq, ADD COLUMN version bigint NOT NULL DEFAULT 0;
    `);
  }
}
