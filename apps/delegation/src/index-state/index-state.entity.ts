import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The progress and the start of the index: one row, which the indexer updates in the same transaction as its changes.
 */
@Entity('index_state')
export class IndexStateEntity {
  @PrimaryColumn('boolean', { default: true }) single!: boolean;

  /** The last block that is applied. */
  @Column('bigint') syncedBlock!: bigint;

  /** The time of that block; null before the first. */
  @Column('timestamptz', { nullable: true }) syncedTime!: Date | null;

  /** The last known irreversible block of the chain. */
  @Column('bigint') irreversibleBlock!: bigint;

  /** From the block after this one on, every block is applied. */
  @Column('bigint') loadedFrom!: bigint;

  /**
   * The loaded delegations are of different moments between `loadedFrom` and this block. When it is applied they are
   * consistent, and the API can respond. Both are equal if nothing was loaded.
   */
  @Column('bigint') loadedTo!: bigint;

  /** Pending returns that were loaded from a node are of moments after `loadedTo`, none after this block. */
  @Column('bigint') returnsLoadedTo!: bigint;

  /** The first block whose changes the history has, without a gap up to `syncedBlock`. */
  @Column('bigint') historyFrom!: bigint;

  /** The earliest block for queries as of a block. */
  @Column('bigint') asOfFrom!: bigint;

  /** The first block of the backfill; null if there is none. */
  @Column('bigint', { nullable: true }) backfillFrom!: bigint | null;
  @Column('bigint') nextDelegationId!: bigint;
}

export const indexStateTable = columnTypes(IndexStateEntity);
