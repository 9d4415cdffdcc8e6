/** The table that the migration of a service with a follower makes. A row is the last block that a follower has applied. */
export const chainCheckpointTable = `
  CREATE TABLE chain_checkpoint (
    name text PRIMARY KEY,
    block_number bigint NOT NULL,
    block_id text NOT NULL,
    block_time timestamptz,
    applied_at timestamptz NOT NULL
  )`;
