import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateChat1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE session (
        id          text PRIMARY KEY,
        account     text NOT NULL,
        user_agent  text,
        ip          text,
        created_at  timestamptz(3) NOT NULL DEFAULT now(),
        renewed_at  timestamptz(3) NOT NULL DEFAULT now(),
        expires_at  timestamptz(3) NOT NULL,
        revoked_at  timestamptz(3)
      );
      CREATE INDEX session_account ON session (account);
      -- Every instance asks for the latest revocations twice a second.
      CREATE INDEX session_revoked_at ON session (revoked_at) WHERE revoked_at IS NOT NULL;

      CREATE TABLE conversation (
        id              text PRIMARY KEY,
        type            text NOT NULL CHECK (type IN ('dm', 'group', 'channel')),
        name            text,
        creator         text NOT NULL,
        -- The two accounts of a dm in the order of their bytes, whatever the database's locale; null elsewhere.
        dm_first        text COLLATE "C",
        dm_second       text COLLATE "C",
        last_seq        bigint NOT NULL DEFAULT 0,
        last_message_at timestamptz(3),
        created_at      timestamptz(3) NOT NULL DEFAULT now(),
        updated_at      timestamptz(3) NOT NULL DEFAULT now(),
        CHECK ((type = 'dm') = (dm_first IS NOT NULL AND dm_second IS NOT NULL AND dm_first < dm_second))
      );
      -- One dm for a pair, however many create it at once.
      CREATE UNIQUE INDEX conversation_dm ON conversation (dm_first, dm_second) WHERE type = 'dm';

      CREATE TABLE member (
        conversation_id  text NOT NULL REFERENCES conversation (id),
        account          text NOT NULL,
        moderator        boolean NOT NULL DEFAULT false,
        acknowledged_seq bigint NOT NULL DEFAULT 0,
        joined_at        timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (conversation_id, account)
      );
      CREATE INDEX member_account ON member (account, conversation_id);

      CREATE TABLE message (
        conversation_id text NOT NULL REFERENCES conversation (id),
        -- The order of a conversation, without gaps.
        seq             bigint NOT NULL,
        id              text NOT NULL UNIQUE,
        sender          text NOT NULL,
        -- The other account of a dm; null elsewhere.
        recipient       text,
        content         text NOT NULL,
        sent_at         timestamptz(3) NOT NULL,
        deleted_at      timestamptz(3),
        PRIMARY KEY (conversation_id, seq)
      );
      -- Paging by time; unique, because times strictly increase within a conversation.
      CREATE UNIQUE INDEX message_sent_at ON message (conversation_id, sent_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE message, member, conversation, session');
  }
}
