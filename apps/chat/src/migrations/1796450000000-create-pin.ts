import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreatePin1796450000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE pin (
        conversation_id text NOT NULL,
        seq             bigint NOT NULL,
        account         text NOT NULL,
        at              timestamptz(3) NOT NULL,
        PRIMARY KEY (conversation_id, seq)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pin');
  }
}
