import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The members and moderators of a conversation in order, so that the first of them are read without all others: a channel may
 * have any number. Built while everybody writes, and so outside of a transaction; one that was interrupted is built anew.
 */
export class PageLists1764400000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query(`
      CREATE INDEX CONCURRENTLY member_joined ON member (conversation_id, joined) INCLUDE (account)
      WHERE standing = 'member'`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY member_made_moderator ON member (conversation_id, made_moderator) INCLUDE (account)
      WHERE standing = 'member' AND made_moderator IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS member_joined');
    await runner.query('DROP INDEX IF EXISTS member_made_moderator');
  }
}
