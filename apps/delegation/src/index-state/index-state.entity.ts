import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The progress and the start of the index: one row, which the indexer updates in the same transaction as its changes.
 * The numbers are bigints, which TypeORM returns as strings.
 */
@Entity('index_state')
export class IndexStateEntity {
  @PrimaryColumn('boolean', { default: true })
  single!: boolean;

  /** The last block that is applied. */
  @Column('bigint', { name: 'synced_block' })
  syncedBlock!: string;

  /** The time of that block; null before the first. */
  @Column('timestamptz', { name: 'synced_time', nullable: true })
  syncedTime!: Date | null;

  /** The last known irreversible block of the chain. */
  @Column('bigint', { name: 'irreversible_block' })
  irreversibleBlock!: string;

  /** From the block after this one on, every block is applied. */
  @Column('bigint', { name: 'loaded_from' })
  loadedFrom!: string;

  /**
   * The loaded delegations are of different moments between `loadedFrom` and this block. When it is applied they are
   * consistent, and the API can respond. Both are equal if nothing was loaded.
   */
  @Column('bigint', { name: 'loaded_to' })
  loadedTo!: string;

  /** Pending returns that were loaded from a node are of moments after `loadedTo`, none after this block. */
  @Column('bigint', { name: 'returns_loaded_to' })
  returnsLoadedTo!: string;

  /** The first block whose changes the history has, without a gap up to `syncedBlock`. */
  @Column('bigint', { name: 'history_from' })
  historyFrom!: string;

  /** The earliest block for queries as of a block. */
  @Column('bigint', { name: 'as_of_from' })
  asOfFrom!: string;

  /** The first block of the backfill; null if there is none. */
  @Column('bigint', { name: 'backfill_from', nullable: true })
  backfillFrom!: string | null;

  @Column('bigint', { name: 'next_delegation_id' })
  nextDelegationId!: string;
}
