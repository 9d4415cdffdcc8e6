import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The mark by which a client knows that it has made a group already belongs to who made it, not to who has come to be its
 * creator.
 */
export class KeepMarksOfGroups1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX conversation_client_id;
      -- Who made the group with this mark; null, as the mark, where there is none or it has been used anew since.
      ALTER TABLE conversation ADD COLUMN client_creator text;
      -- Who that was stands in the first entry, which is kept for as long as marks are good.
      UPDATE conversation c SET client_creator = e.told -> 0 -> 'payload' ->> 'creator'
      FROM event e WHERE c.client_id IS NOT NULL AND e.stream = c.id AND e.seq = 1;
      UPDATE conversation SET client_id = NULL WHERE client_id IS NOT NULL AND client_creator IS NULL;
      CREATE UNIQUE INDEX conversation_client_id ON conversation (client_creator, client_id) WHERE client_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX conversation_client_id;
      -- Of groups that have another creator now the former version would take the mark for theirs.
      UPDATE conversation SET client_id = NULL WHERE client_id IS NOT NULL AND creator <> client_creator;
      ALTER TABLE conversation DROP COLUMN client_creator;
      CREATE UNIQUE INDEX conversation_client_id ON conversation (creator, client_id) WHERE client_id IS NOT NULL;
    `);
  }
}
