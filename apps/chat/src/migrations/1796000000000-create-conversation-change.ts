import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateConversationChange1796000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversation_change (
        conversation_id text NOT NULL,
        seq             bigint NOT NULL,
        at              timestamptz(3) NOT NULL,
        type            text NOT NULL,
        by              text NOT NULL,
        username        text,
        name            text,
        PRIMARY KEY (conversation_id, seq)
      );
      CREATE INDEX conversation_change_at ON conversation_change (at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE conversation_change');
  }
}
