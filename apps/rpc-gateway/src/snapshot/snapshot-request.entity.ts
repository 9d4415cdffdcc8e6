import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A session that waits to read the index as of a block. The indexer stops after the block until the session begins to
 * read.
 */
@Entity('snapshot_request')
export class SnapshotRequestEntity {
  /** The advisory lock that the session holds. If the lock is free, the session has ended. */
  @PrimaryColumn('bigint') lockKey!: bigint;
  @Column('int') blockNumber!: number;
}

export const snapshotRequestTable = columnTypes(SnapshotRequestEntity);
