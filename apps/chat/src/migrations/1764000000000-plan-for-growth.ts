import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** As `AddStreams1763900000000` has made them. */
const partitions = 16;

/**
 * What the statements need when there is a billion messages; docs/query-plans.md has the reasons and figures. Two indexes of
 * the messages are built anew, while nobody can write.
 */
export class PlanForGrowth1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Also what unread messages are counted and put in order by, so that only the index is read for it.
      ALTER TABLE message DROP CONSTRAINT message_pkey,
        ADD PRIMARY KEY (conversation_id, seq) INCLUDE (sender, sent_at, deleted_at);
      -- Without those that were deleted: a page of history is as near behind ten thousand of them.
      DROP INDEX message_sent_at;
      CREATE UNIQUE INDEX message_sent_at ON message (conversation_id, sent_at) WHERE deleted_at IS NULL;

      -- What happened in a stream since an instant.
      CREATE INDEX event_stream_at ON event (stream, at);
      -- The channels that an account follows, of all that it has ever looked at.
      CREATE INDEX member_followed_at ON member (account, followed_at) WHERE followed_at IS NOT NULL;
      CREATE INDEX session_expires_at ON session (expires_at);

      ALTER TABLE conversation
        -- No message was sent before, and none has a place up to kept_seq: where deleting old messages goes on.
        ADD COLUMN kept_since timestamptz(3) NOT NULL DEFAULT '-infinity',
        ADD COLUMN kept_seq   bigint NOT NULL DEFAULT 0;
      ALTER TABLE conversation ALTER COLUMN kept_since SET DEFAULT now();
      CREATE INDEX conversation_kept_since ON conversation (kept_since);

      -- Every message changes its conversation, and every acknowledgment a member: with room in the page no index is touched.
      ALTER TABLE conversation SET (fillfactor = 90);
      ALTER TABLE member SET (fillfactor = 90);
      -- Rows come and go all the time: waiting for a fifth of the table would let it grow.
      ALTER TABLE commit_log SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
      ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.05);
    `);
    for (let part = 0; part < partitions; part += 1) {
      // Rows stay as they are, so each round looks at what came since the one before: soon, little, and done with for good.
      await runner.query(`
        ALTER TABLE message_${part} SET (
          autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000, autovacuum_freeze_min_age = 0,
          autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message DROP CONSTRAINT message_pkey, ADD PRIMARY KEY (conversation_id, seq);
      DROP INDEX message_sent_at;
      CREATE UNIQUE INDEX message_sent_at ON message (conversation_id, sent_at);
      DROP INDEX event_stream_at, member_followed_at, session_expires_at;
      ALTER TABLE conversation DROP COLUMN kept_seq, DROP COLUMN kept_since;
      ALTER TABLE conversation RESET (fillfactor);
      ALTER TABLE member RESET (fillfactor);
      ALTER TABLE commit_log RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, autovacuum_vacuum_cost_delay);
      ALTER TABLE event RESET (autovacuum_vacuum_scale_factor);
    `);
    for (let part = 0; part < partitions; part += 1) {
      await runner.query(`
        ALTER TABLE message_${part} RESET (
          autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold, autovacuum_freeze_min_age,
          autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor)`);
    }
  }
}
