import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** As of `message`. */
const partitionCount = 16;

export class CreateSearch1796500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    for (let n = 0; n < partitionCount; n += 1) await runner.query(partition(n));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE search_block, search_edit, search_progress');
  }
}

const tables = `
  CREATE TABLE search_block (
    conversation_id text NOT NULL,
    first_seq       bigint NOT NULL,
    last_seq        bigint NOT NULL,
    times           bigint[] NOT NULL,
    terms           int[] NOT NULL,
    messages        int[] NOT NULL,
    PRIMARY KEY (conversation_id, first_seq)
  ) PARTITION BY HASH (conversation_id);
  CREATE TABLE search_edit (
    conversation_id text NOT NULL,
    seq             bigint NOT NULL,
    revision        int NOT NULL,
    PRIMARY KEY (conversation_id, seq, revision)
  );
  CREATE TABLE search_progress (
    id            boolean PRIMARY KEY CHECK (id),
    indexed_until timestamptz,
    built_to      text,
    indexer       text NOT NULL,
    leased_until  timestamptz NOT NULL
  );
  INSERT INTO search_progress (id, indexer, leased_until) VALUES (true, '', '-infinity');
`;

/**
 * The last block of an active conversation is updated every few seconds, hence the fill factor. Searches read single
 * elements of the arrays, so these are not compressed, and are part of the row as far as they fit into a page.
 */
function partition(n: number): string {
  return `
    CREATE TABLE search_block_${n} PARTITION OF search_block FOR VALUES WITH (MODULUS ${partitionCount}, REMAINDER ${n})
      WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, toast_tuple_target = 8160);
    ALTER TABLE search_block_${n} ALTER COLUMN times SET STORAGE EXTERNAL, ALTER COLUMN terms SET STORAGE EXTERNAL,
      ALTER COLUMN messages SET STORAGE EXTERNAL;`;
}
