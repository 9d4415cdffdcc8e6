import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stores why an account is no longer a member: who left may only be added again by a friend. A column without a default changes
 * no row, and former versions of the service write rows without it.
 */
export class RememberWhoLeft1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Of an account that is no member: whether it left of its own accord, rather than being removed by a moderator. Null if
      -- that was not recorded.
      ALTER TABLE member ADD COLUMN left_voluntarily boolean;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE member DROP COLUMN left_voluntarily');
  }
}
