import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * How far the index knows the chain, and what it began with: one row, which the indexer writes in the transaction of what it
 * changes. The numbers are bigints, which TypeORM gives as texts.
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

  /** The last irreversible block of the chain, as last heard. */
  @Column('bigint', { name: 'irreversible_block' })
  irreversibleBlock!: string;

  /** From the block after this one on, every block is applied. */
  @Column('bigint', { name: 'loaded_from' })
  loadedFrom!: string;

  /**
   * The delegations that were taken from a node are of moments between `loadedFrom` and this block: once it is applied they
   * are those of one moment, and there are answers. Both are the same where nothing was taken.
   */
  @Column('bigint', { name: 'loaded_to' })
  loadedTo!: string;

  /** Pending returns that were taken from a node are of moments between `loadedTo` and this block. */
  @Column('bigint', { name: 'returns_loaded_to' })
  returnsLoadedTo!: string;

  /** The first block whose changes the history has, without a gap up to `syncedBlock`. */
  @Column('bigint', { name: 'history_from' })
  historyFrom!: string;

  /** The earliest block as of which a question can be answered. */
  @Column('bigint', { name: 'as_of_from' })
  asOfFrom!: string;

  /** The block that reading earlier history was begun with; null where it was not. */
  @Column('bigint', { name: 'backfill_from', nullable: true })
  backfillFrom!: string | null;

  @Column('bigint', { name: 'next_delegation_id' })
  nextDelegationId!: string;
}
