import { type ClientBase } from 'pg';
import { type ChainPoint } from './chain-point';
import { type ChainProperties } from './chain-properties';

/** Creates the table of the followers, for the first migration of a service. A row is the last block that a follower has applied. */
export const chainCheckpointTable = `
  CREATE TABLE chain_checkpoint (
    name                 text PRIMARY KEY,
    block_number         bigint NOT NULL,
    block_id             text NOT NULL,
    -- Null before the first block.
    block_time           timestamptz,
    applied_at           timestamptz NOT NULL,
    -- What is known about the chain: stored so that after a restart a single node cannot deny it.
    ids_are_hashes       boolean NOT NULL DEFAULT false,
    has_producer_rewards boolean NOT NULL DEFAULT false
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

interface PropertiesRow {
  ids_are_hashes: boolean;
  has_producer_rewards: boolean;
}

interface Row {
  block_number: string;
  block_id: string;
  block_time: Date | null;
  applied_at: Date;
}

/** The row of one follower. */
export class Checkpoints {
  /** @param properties what is known of the chain at the moment; stored whenever the checkpoint moves */
  constructor(
    private readonly name: string,
    private readonly properties: () => ChainProperties,
  ) {}

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

  /** What any follower of this database has learnt about the chain: they all follow the same. */
  async findProperties(client: ClientBase): Promise<ChainProperties> {
    const { rows } = await client.query<PropertiesRow>(
      `SELECT coalesce(bool_or(ids_are_hashes), false) AS ids_are_hashes,
              coalesce(bool_or(has_producer_rewards), false) AS has_producer_rewards
       FROM chain_checkpoint`,
    );
    const [row] = rows;
    return { idsAreHashes: row?.ids_are_hashes ?? false, hasProducerRewards: row?.has_producer_rewards ?? false };
  }

  /** @throws CheckpointMovedError if there is one */
  async create(client: ClientBase, { number, id, timestamp }: ChainPoint): Promise<void> {
    const { idsAreHashes, hasProducerRewards } = this.properties();
    const { rowCount } = await client.query(
      `INSERT INTO chain_checkpoint
         (name, block_number, block_id, block_time, applied_at, ids_are_hashes, has_producer_rewards)
       VALUES ($1, $2, $3, $4, clock_timestamp(), $5, $6) ON CONFLICT DO NOTHING`,
      [this.name, number, id, timestamp, idsAreHashes, hasProducerRewards],
    );
    if (rowCount !== 1) throw new CheckpointMovedError(this.name);
  }

  /** @throws CheckpointMovedError if it is not where it was */
  async move(client: ClientBase, from: ChainPoint, to: ChainPoint): Promise<void> {
    const { idsAreHashes, hasProducerRewards } = this.properties();
    const { rowCount } = await client.query(
      `UPDATE chain_checkpoint
       SET block_number = $1, block_id = $2, block_time = $3, applied_at = clock_timestamp(),
           ids_are_hashes = ids_are_hashes OR $7, has_producer_rewards = has_producer_rewards OR $8
       WHERE name = $4 AND block_number = $5 AND block_id = $6`,
      [to.number, to.id, to.timestamp, this.name, from.number, from.id, idsAreHashes, hasProducerRewards],
    );
    if (rowCount !== 1) throw new CheckpointMovedError(this.name);
  }
}
