import { chainTraitsColumns } from '@waggle/chain';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What was learnt about the chain ended with the process, so that a lone node could deny it after a restart. */
export class KeepChainTraits1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(chainTraitsColumns);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chain_checkpoint DROP COLUMN ids_are_hashes, DROP COLUMN has_producer_rewards');
  }
}
