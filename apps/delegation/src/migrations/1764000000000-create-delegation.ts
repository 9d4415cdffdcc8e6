import { chainCheckpointTable } from '@waggle/chain';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** See the entities for what the columns mean. Names are compared byte by byte, as on the chain: no index needs a locale. */
export class CreateDelegation1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(chainCheckpointTable);
    await runner.query(`
      CREATE TABLE index_state (
        single boolean PRIMARY KEY DEFAULT true CHECK (single),
        synced_block bigint NOT NULL,
        synced_time timestamptz,
        irreversible_block bigint NOT NULL,
        loaded_from bigint NOT NULL,
        loaded_to bigint NOT NULL,
        returns_loaded_to bigint NOT NULL,
        history_from bigint NOT NULL,
        as_of_from bigint NOT NULL,
        next_delegation_id bigint NOT NULL
      )`);

    await runner.query(`
      CREATE TABLE delegation (
        id bigint PRIMARY KEY,
        delegator text COLLATE "C" NOT NULL,
        delegatee text COLLATE "C" NOT NULL,
        amount bigint NOT NULL CHECK (amount >= 0),
        loaded_amount bigint,
        earliest_return timestamptz
      )`);
    await runner.query('CREATE UNIQUE INDEX delegation_pair ON delegation (delegator, delegatee)');
    // Of accounts that lend for a day, most delegations are removed ones: a list must not walk over them.
    await runner.query('CREATE INDEX delegation_in ON delegation (delegatee, id) WHERE amount > 0');
    await runner.query('CREATE INDEX delegation_out ON delegation (delegator, id) WHERE amount > 0');
    // As of an earlier block the removed ones count too.
    await runner.query('CREATE INDEX delegation_ever_in ON delegation (delegatee, id)');
    await runner.query('CREATE INDEX delegation_ever_out ON delegation (delegator, id)');

    await runner.query(`
      CREATE TABLE delegation_change (
        id bigint PRIMARY KEY,
        delegation_id bigint NOT NULL,
        delegator text COLLATE "C" NOT NULL,
        delegatee text COLLATE "C" NOT NULL,
        amount bigint NOT NULL CHECK (amount >= 0),
        created timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX delegation_change_in ON delegation_change (delegatee, id)');
    await runner.query('CREATE INDEX delegation_change_out ON delegation_change (delegator, id)');
    // What a delegation was at a block: its last change before, answered by the index alone.
    await runner.query('CREATE INDEX delegation_change_of ON delegation_change (delegation_id, id) INCLUDE (amount)');

    await runner.query(`
      CREATE TABLE account_balance (
        account text COLLATE "C" PRIMARY KEY,
        total_in bigint NOT NULL CHECK (total_in >= 0),
        total_out bigint NOT NULL CHECK (total_out >= 0)
      )`);

    await runner.query(`
      CREATE TABLE pending_return (
        id bigint PRIMARY KEY,
        delegator text COLLATE "C" NOT NULL,
        amount bigint NOT NULL CHECK (amount > 0),
        returns timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX pending_return_of ON pending_return (delegator, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['pending_return', 'account_balance', 'delegation_change', 'delegation', 'index_state']) {
      await runner.query(`DROP TABLE ${table}`);
    }
    await runner.query('DROP TABLE chain_checkpoint');
  }
}
