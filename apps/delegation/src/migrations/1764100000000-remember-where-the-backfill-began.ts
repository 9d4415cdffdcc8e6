import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Until now whoever named an earlier FIRST_BLOCK later was shown a history from there that nobody had read. */
export class RememberWhereTheBackfillBegan1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE index_state ADD COLUMN backfill_from bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE index_state DROP COLUMN backfill_from');
  }
}
