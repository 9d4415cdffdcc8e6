import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds pinned comments to the index of pinned posts, which has few rows. */
export class IndexPinnedComments1796900000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SET lock_timeout = 0');
    await runner.query('DROP INDEX IF EXISTS post_pinned');
    await runner.query(
      'CREATE INDEX CONCURRENTLY post_pinned ON post (community_id, id) WHERE is_pinned AND NOT is_deleted',
    );
    // The next migrations use the same connection.
    await runner.query("SET lock_timeout = '1s'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX post_pinned');
    await runner.query(
      'CREATE INDEX post_pinned ON post (community_id, id) WHERE is_pinned AND depth = 0 AND NOT is_deleted',
    );
  }
}
