import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Popular communities are those with new subscribers: without an index every subscription of the chain is read for them. */
export class IndexSubscriptionsByTime1765000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX subscription_created ON subscription (created)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX subscription_created');
  }
}
