import { type ClientBase } from 'pg';
import { z } from 'zod';
import { zeroId } from '../../api/block-id';

/**
 * Properties of a chain that every true response shows: on Hive both, on some test chains neither. They are stored with
 * the checkpoint, so that a node whose responses no longer show them is not trusted after a restart.
 */
export interface ChainProperties {
  /** Block ids are hashes of the headers. */
  readonly idsAreHashes: boolean;
  /** Every block has the virtual operation `producer_reward`. */
  readonly hasProducerRewards: boolean;
}

/** A block that was applied, as what comes after it must know it. */
export interface ChainPoint {
  readonly number: number;
  readonly id: string;
  /** The time of the block; undefined before the first block. */
  readonly timestamp: Date | undefined;
}

/** The point before the first block. */
export const beforeFirstBlock: ChainPoint = { number: 0, id: zeroId, timestamp: undefined };

/**
 * Creates the table of the followers, for the first migration of a service. A row is the last block that a follower
 * applied.
 */
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

/** The follower has already started. */
export class CheckpointExistsError extends Error {
  override readonly name = 'CheckpointExistsError';

  constructor(name: string) {
    super(`The checkpoint ${name} already exists`);
  }
}

/** Another process moved the checkpoint although this one holds the lock: a pooler shares the connection. */
export class CheckpointMovedError extends Error {
  override readonly name = 'CheckpointMovedError';

  constructor(name: string) {
    super(
      `The checkpoint ${name} was moved by another process: is there a connection pooler in front of the database?`,
    );
  }
}

/** Rows are parsed, because the compiler believes any type of a row. The types are those that node-postgres returns. */
const propertiesRow = z.object({ ids_are_hashes: z.boolean(), has_producer_rewards: z.boolean() });

const checkpointRow = z.object({
  block_number: z.string().transform(Number),
  block_id: z.string(),
  block_time: z.date().nullable(),
  applied_at: z.date(),
});

/** The row of one follower. */
export class Checkpoints {
  /** @param properties what is known of the chain at the moment; stored whenever the checkpoint moves */
  constructor(
    private readonly name: string,
    private readonly properties: () => ChainProperties,
  ) {}

  async find(client: ClientBase): Promise<Checkpoint | undefined> {
    const { rows } = await client.query(
      'SELECT block_number, block_id, block_time, applied_at FROM chain_checkpoint WHERE name = $1',
      [this.name],
    );
    const [row] = z.array(checkpointRow).parse(rows);
    return (
      row && {
        number: row.block_number,
        id: row.block_id,
        timestamp: row.block_time ?? undefined,
        appliedAt: row.applied_at,
      }
    );
  }

  /** Reads what is known about the chain to any follower of this database: all follow the same chain. */
  async findProperties(client: ClientBase): Promise<ChainProperties> {
    const { rows } = await client.query(
      `SELECT coalesce(bool_or(ids_are_hashes), false) AS ids_are_hashes,
              coalesce(bool_or(has_producer_rewards), false) AS has_producer_rewards
       FROM chain_checkpoint`,
    );
    const row = propertiesRow.parse(rows[0]);
    return { idsAreHashes: row.ids_are_hashes, hasProducerRewards: row.has_producer_rewards };
  }

  /** Stores the first checkpoint. @throws CheckpointExistsError */
  async create(client: ClientBase, { number, id, timestamp }: ChainPoint): Promise<void> {
    const { idsAreHashes, hasProducerRewards } = this.properties();
    const { rowCount } = await client.query(
      `INSERT INTO chain_checkpoint
         (name, block_number, block_id, block_time, applied_at, ids_are_hashes, has_producer_rewards)
       VALUES ($1, $2, $3, $4, clock_timestamp(), $5, $6) ON CONFLICT DO NOTHING`,
      [this.name, number, id, timestamp, idsAreHashes, hasProducerRewards],
    );
    if (rowCount !== 1) throw new CheckpointExistsError(this.name);
  }

  /** Moves the checkpoint. @throws CheckpointMovedError if it is no longer at `from` */
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
