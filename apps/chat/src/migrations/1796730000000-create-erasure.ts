import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateErasure1796730000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erasure (
        account         text PRIMARY KEY,
        signed_at       timestamptz(3) NOT NULL,
        requested_at    timestamptz(3) NOT NULL DEFAULT now(),
        started_at      timestamptz(3),
        finished_at     timestamptz(3),
        kept_from       timestamptz(3),
        conversation_id text NOT NULL DEFAULT '',
        seq             bigint,
        next_at         timestamptz(3) NOT NULL
      );
      CREATE INDEX erasure_pending ON erasure (next_at) WHERE finished_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erasure');
  }
}
