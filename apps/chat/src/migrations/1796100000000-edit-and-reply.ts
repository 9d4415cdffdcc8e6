import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class EditAndReply1796100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message
        ADD COLUMN reply_to_seq bigint,
        ADD COLUMN revision     int,
        ADD COLUMN edited_at    timestamptz(3);
      CREATE TABLE message_revision (
        conversation_id text NOT NULL,
        seq             bigint NOT NULL,
        revision        int NOT NULL,
        content         text NOT NULL,
        at              timestamptz(3) NOT NULL,
        PRIMARY KEY (conversation_id, seq, revision)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE message_revision;
      ALTER TABLE message DROP COLUMN reply_to_seq, DROP COLUMN revision, DROP COLUMN edited_at;
    `);
  }
}
