import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The sessions of an account in the order of the list, so that a page is read without all others. Built while everybody writes, and
 * so outside of a transaction; one that was interrupted is built anew.
 */
export class PageSessions1764100000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS session_account_id');
    await runner.query('CREATE INDEX CONCURRENTLY session_account_id ON session (account, id)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS session_account');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX IF NOT EXISTS session_account ON session (account)');
    await runner.query('DROP INDEX IF EXISTS session_account_id');
  }
}
