import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateReaction1796200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE reaction (
        conversation_id text NOT NULL,
        seq             bigint NOT NULL,
        emoji           text NOT NULL,
        account         text NOT NULL,
        at              timestamptz(3) NOT NULL,
        PRIMARY KEY (conversation_id, seq, emoji, account)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reaction');
  }
}
