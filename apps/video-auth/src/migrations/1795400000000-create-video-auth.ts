import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateVideoAuth1795400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE session (
        id               text PRIMARY KEY,
        account          text NOT NULL,
        -- SHA-256 of the account and the signed text. Redis may lose it, and a process may end before it has responded: the unique
        -- index below still prevents a second session for the same proof.
        proof            bytea NOT NULL,
        -- The public key that signed, compressed (33 bytes), and when the chain last confirmed that the account accepts it.
        signing_key      bytea NOT NULL,
        key_confirmed_at timestamptz(3) NOT NULL DEFAULT now(),
        user_agent       text,
        ip               text,
        created_at       timestamptz(3) NOT NULL DEFAULT now(),
        expires_at       timestamptz(3) NOT NULL,
        revoked_at       timestamptz(3)
      );
      CREATE UNIQUE INDEX session_proof ON session (proof);
      -- In the order of the session list, so that a page reads only its own rows.
      CREATE INDEX session_account_id ON session (account, id);
      -- Sessions are deleted some time after they expire.
      CREATE INDEX session_expires_at ON session (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE session');
  }
}
