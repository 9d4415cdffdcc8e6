import { chainCheckpointTable } from '@waggle/chain';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The entities document the columns. Account names are compared byte by byte, as on the chain, so no index depends on
 * the locale of the database.
 */
export class CreateDelegation1795400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(chainCheckpointTable);
    await runner.query(`
      CREATE TABLE index_state (
        single             boolean PRIMARY KEY DEFAULT true CHECK (single),
        synced_block       bigint NOT NULL,
        synced_time        timestamptz,
        irreversible_block bigint NOT NULL,
        loaded_from        bigint NOT NULL,
        loaded_to          bigint NOT NULL,
        returns_loaded_to  bigint NOT NULL,
        history_from       bigint NOT NULL,
        as_of_from         bigint NOT NULL,
        backfill_from      bigint,
        next_delegation_id bigint NOT NULL
      );

      CREATE TABLE delegation (
        id              bigint PRIMARY KEY,
        delegator       text COLLATE "C" NOT NULL,
        delegatee       text COLLATE "C" NOT NULL,
        amount          bigint NOT NULL CHECK (amount >= 0),
        loaded_amount   bigint,
        earliest_return timestamptz
      );
      CREATE UNIQUE INDEX delegation_pair ON delegation (delegator, delegatee);
      -- An account that leases its stake by the day has mostly removed delegations: a list of the current ones must not scan them.
      CREATE INDEX delegation_in ON delegation (delegatee, id) WHERE amount > 0;
      CREATE INDEX delegation_out ON delegation (delegator, id) WHERE amount > 0;
      -- A list as of an earlier block includes delegations that were removed since.
      CREATE INDEX delegation_ever_in ON delegation (delegatee, id);
      CREATE INDEX delegation_ever_out ON delegation (delegator, id);

      CREATE TABLE delegation_change (
        id            bigint PRIMARY KEY,
        delegation_id bigint NOT NULL,
        delegator     text COLLATE "C" NOT NULL,
        delegatee     text COLLATE "C" NOT NULL,
        amount        bigint NOT NULL CHECK (amount >= 0),
        created       timestamptz NOT NULL
      );
      CREATE INDEX delegation_change_in ON delegation_change (delegatee, id);
      CREATE INDEX delegation_change_out ON delegation_change (delegator, id);
      -- The amount of a delegation as of a block is that of its last change until then: an index-only scan finds it.
      CREATE INDEX delegation_change_of ON delegation_change (delegation_id, id) INCLUDE (amount);

      CREATE TABLE account_balance (
        account   text COLLATE "C" PRIMARY KEY,
        total_in  bigint NOT NULL CHECK (total_in >= 0),
        total_out bigint NOT NULL CHECK (total_out >= 0)
      );

      CREATE TABLE pending_return (
        id        bigint PRIMARY KEY,
        delegator text COLLATE "C" NOT NULL,
        amount    bigint NOT NULL CHECK (amount > 0),
        returns   timestamptz NOT NULL
      );
      CREATE INDEX pending_return_of ON pending_return (delegator, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE pending_return, account_balance, delegation_change, delegation, index_state, chain_checkpoint',
    );
  }
}
