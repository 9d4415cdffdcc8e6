import { type ClientBase } from 'pg';
import { type ChainPoint } from './chain-point';

/** The table that the migration of a service with a follower makes. A row is the last block that a follower has applied. */
export const chainCheckpointTable = `
  CREATE TABLE chain_checkpoint (
    name text PRIMARY KEY,
    block_number bigint NOT NULL,
    block_id text NOT NULL,
    -- Null before the first block.
    block_time timestamptz,
    applied_at timestamptz NOT NULL
  )`;

export interface Checkpoint extends ChainPoint {
  readonly appliedAt: Date;
}

/** Another has moved the checkpoint, though the lock is ours: the connection is shared with others, by a pooler. */
export class CheckpointMovedError extends Error {
  override readonly name = 'CheckpointMovedError';

  constructor(name: string) {
    super(`The checkpoint ${name} was moved by another: is there a connection pooler before the database?`);
  }
}

interface Row {
  block_number: string;
  block_id: string;
  block_time: Date | null;
  applied_at: Date;
}

/** The row of one follower. */
export class Checkpoints {
  constructor(private readonly name: string) {}

  async find(client: ClientBase): Promise<Checkpoint | undefined> {
    const { rows } = await client.query<Row>(
      'SELECT block_number, block_id, block_time, applied_at FROM chain_checkpoint WHERE name = $1',
      [this.name],
    );
    const [row] = rows;
    return (
      row && {
        number: Number(row.block_number),
        id: row.block_id,
        timestamp: row.block_time ?? undefined,
        appliedAt: row.applied_at,
      }
    );
  }

  /** @throws CheckpointMovedError if there is one */
  async create(client: ClientBase, { number, id, timestamp }: ChainPoint): Promise<void> {
    const { rowCount } = await client.query(
      `INSERT INTO chain_checkpoint (name, block_number, block_id, block_time, applied_at)
       VALUES ($1, $2, $3, $4, clock_timestamp()) ON CONFLICT DO NOTHING`,
      [this.name, number, id, timestamp],
    );
    if (rowCount !== 1) throw new CheckpointMovedError(this.name);
  }

  /** @throws CheckpointMovedError if it is not where it was */
  async move(client: ClientBase, from: ChainPoint, to: ChainPoint): Promise<void> {
    const { rowCount } = await client.query(
      `UPDATE chain_checkpoint SET block_number = $1, block_id = $2, block_time = $3, applied_at = clock_timestamp()
       WHERE name = $4 AND block_number = $5 AND block_id = $6`,
      [to.number, to.id, to.timestamp, this.name, from.number, from.id],
    );
    if (rowCount !== 1) throw new CheckpointMovedError(this.name);
  }
}
