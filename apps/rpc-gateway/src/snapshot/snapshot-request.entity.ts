import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A session that wants to read the index as of a block: the indexer stops after it until the session has begun to. */
@Entity('snapshot_request')
export class SnapshotRequestEntity {
  /** The advisory lock that the session holds. If the lock is free, the session has ended. */
  @PrimaryColumn('bigint', { name: 'lock_key' })
  lockKey!: string;

  @Column('int', { name: 'block_number' })
  blockNumber!: number;
}
