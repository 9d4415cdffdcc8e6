import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The state of the index, in one row. */
@Entity('index_state')
export class IndexStateEntity {
  @PrimaryColumn('boolean', { default: true }) single!: boolean;

  /**
   * Names this index: random, and a new one after a reindex or an import. Everything else in the index follows from the
   * chain.
   */
  @Column('uuid') indexId!: string;

  /** The time of the block before the first one, or of block 1 itself. Accounts created earlier are read from nodes. */
  @Column('timestamptz') begins!: Date;

  /** The index contains the effects of every block from this one on; 1 if it has the whole chain's. */
  @Column('int') firstBlock!: number;

  /** Retention of notifications, in days of block time. */
  @Column('int') notificationDays!: number;

  /**
   * No notification of this time or later was left out or deleted for its age. It only advances: a longer retention
   * does not restore what a shorter one deleted. It depends on the head that the indexer knew, so that it may differ
   * between indexes of one chain.
   */
  @Column('timestamptz') notificationsFrom!: Date;

  /** Whether it has the contents and payouts of all posts since it begins. An index of an earlier version has not. */
  @Column('boolean') hasPosts!: boolean;

  /** Whether it has all votes: not if votes of paid posts were deleted (`VOTES=unpaid`). */
  @Column('boolean') hasVotes!: boolean;

  /** Whether unpaid posts are ranked: not before the index has caught up with the chain for the first time. */
  @Column('boolean') hasRankings!: boolean;

  /** Retention of post bodies, in days of block time; null for ever. */
  @Column('int', { nullable: true }) bodyDays!: number | null;

  /** No body that was written at this time or later was left out or deleted for its age. */
  @Column('timestamptz') bodiesFrom!: Date;
  @Column('int') nextAccountId!: number;
  @Column('bigint') nextPostId!: bigint;
}

export const indexStateTable = columnTypes(IndexStateEntity);
