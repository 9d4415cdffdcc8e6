import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class IndexMentionsByTime1796740000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SET lock_timeout = 0');
    await runner.query('DROP INDEX IF EXISTS mention_at');
    await runner.query('CREATE INDEX CONCURRENTLY mention_at ON mention (account, conversation_id, at, seq)');
    // The next migrations use the same connection.
    await runner.query("SET lock_timeout = '1s'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX mention_at');
  }
}
