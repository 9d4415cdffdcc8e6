import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class IndexSentFriendRequests1796710000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SET lock_timeout = 0');
    await runner.query('DROP INDEX IF EXISTS friend_request_requester');
    await runner.query(
      'CREATE INDEX CONCURRENTLY friend_request_requester ON friend_request (requester, created_at, id)',
    );
    // The next migrations use the same connection.
    await runner.query("SET lock_timeout = '1s'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX friend_request_requester');
  }
}
