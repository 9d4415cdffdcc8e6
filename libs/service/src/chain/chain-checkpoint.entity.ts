import { Column, Entity, PrimaryColumn } from 'typeorm';
import { columnTypes } from '../database/entity-columns';

/** The last block that a follower of `@waggle/chain` applied, which also creates, reads and writes the table. */
@Entity('chain_checkpoint')
export class ChainCheckpointEntity {
  @PrimaryColumn('text') name!: string;
  @Column('bigint') blockNumber!: bigint;
  @Column('text') blockId!: string;

  /** The time of the block; null before the first block. */
  @Column('timestamptz', { nullable: true }) blockTime!: Date | null;
  @Column('timestamptz') appliedAt!: Date;

  /** What is known about the chain. */
  @Column('boolean', { default: false }) idsAreHashes!: boolean;
  @Column('boolean', { default: false }) hasProducerRewards!: boolean;
}

export const checkpointTable = columnTypes(ChainCheckpointEntity);
