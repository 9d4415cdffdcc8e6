import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateDraft1796720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE draft (
        account         text NOT NULL,
        conversation_id text NOT NULL,
        text            text NOT NULL,
        reply_to_seq    bigint,
        updated_at      timestamptz(3) NOT NULL,
        PRIMARY KEY (account, conversation_id)
      );
      CREATE INDEX draft_updated_at ON draft (updated_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE draft');
  }
}
