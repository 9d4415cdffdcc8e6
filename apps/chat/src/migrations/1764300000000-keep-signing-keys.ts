import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A session keeps the key that logged in, so that it can end when the account replaces that key on the chain. Sessions from
 * before, and those that the former version makes meanwhile, have none and are not checked.
 */
export class KeepSigningKeys1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- In the order of the list of sessions, so that a page reads no more than its rows. First, since nobody can read the table
      -- once it is altered.
      CREATE INDEX session_account_created_at ON session (account, created_at, id);
      ALTER TABLE session
        -- Compressed, 33 bytes.
        ADD COLUMN signing_key      bytea,
        -- When the chain last said that it suffices.
        ADD COLUMN key_confirmed_at timestamptz(3);
      DROP INDEX session_account;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX session_account ON session (account);
      DROP INDEX session_account_created_at;
      ALTER TABLE session DROP COLUMN signing_key, DROP COLUMN key_confirmed_at;
    `);
  }
}
