import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class SubscribeByEntries1764700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE event RENAME COLUMN told TO events;
      ALTER TABLE event ADD COLUMN subscriptions jsonb NOT NULL DEFAULT '[]';
      ALTER TABLE commit_log DROP COLUMN look_accounts, DROP COLUMN look_streams;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE event RENAME COLUMN events TO told;
      ALTER TABLE event DROP COLUMN subscriptions;
      ALTER TABLE commit_log
        ADD COLUMN look_accounts text[] NOT NULL DEFAULT '{}',
        ADD COLUMN look_streams text[] NOT NULL DEFAULT '{}';
    `);
  }
}
