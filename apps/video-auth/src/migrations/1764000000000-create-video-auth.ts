import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateVideoAuth1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE session (
        id               text PRIMARY KEY,
        account          text NOT NULL,
        -- sha256 of account and signed text. What Redis forgets, or a process that ends, is known here: no proof makes two
        -- sessions.
        proof            bytea NOT NULL,
        -- The key that signed, compressed, and when the chain last said that it suffices.
        signing_key      bytea NOT NULL,
        key_confirmed_at timestamptz(3) NOT NULL DEFAULT now(),
        user_agent       text,
        ip               text,
        created_at       timestamptz(3) NOT NULL DEFAULT now(),
        expires_at       timestamptz(3) NOT NULL,
        revoked_at       timestamptz(3)
      );
      CREATE UNIQUE INDEX session_proof ON session (proof);
      CREATE INDEX session_account ON session (account);
      -- Sessions are deleted some time after they have expired.
      CREATE INDEX session_expires_at ON session (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE session');
  }
}
