import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateMention1796300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message ADD COLUMN mentions jsonb;
      CREATE TABLE mention (
        account         text NOT NULL,
        conversation_id text NOT NULL,
        seq             bigint NOT NULL,
        message_seq     bigint NOT NULL,
        sender          text NOT NULL,
        at              timestamptz(3) NOT NULL,
        PRIMARY KEY (account, conversation_id, seq)
      );
      CREATE INDEX mention_message ON mention (conversation_id, message_seq);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mention; ALTER TABLE message DROP COLUMN mentions');
  }
}
