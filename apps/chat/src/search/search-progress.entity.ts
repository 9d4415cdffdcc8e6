import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the search index is: one row. */
@Entity('search_progress')
export class SearchProgressEntity {
  /** Always true, so that there is one row. */
  @PrimaryColumn('boolean') id!: boolean;

  /** The index has all messages that were committed before this time; null before the index is first built. */
  @Column({ type: 'timestamptz', nullable: true }) indexedUntil!: Date | null;

  /**
   * While the index is built of messages that are older: the last conversation that is complete, in the order of
   * identifiers. Null if all are.
   */
  @Column('text', { nullable: true }) builtTo!: string | null;

  /** The instance that indexes, until `leasedUntil` unless it renews the lease. */
  @Column('text') indexer!: string;
  @Column('timestamptz') leasedUntil!: Date;
}

export const searchProgressTable = columnTypes(SearchProgressEntity);
