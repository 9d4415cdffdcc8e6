import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class ConversationPreferences1796400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE member
        ADD COLUMN muted     boolean NOT NULL DEFAULT false,
        ADD COLUMN favourite boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE member DROP COLUMN muted, DROP COLUMN favourite');
  }
}
