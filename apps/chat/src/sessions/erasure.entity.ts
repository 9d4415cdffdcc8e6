import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The latest erasure of an account. The row stays, so that it can be repeated after a backup was restored. */
@Entity('erasure')
@Index('erasure_pending', ['nextAt'], { where: 'finished_at IS NULL' })
export class ErasureEntity {
  @PrimaryColumn('text') account!: string;

  /** The time that the account signed: a signature counts once, even if Redis loses it. */
  @Column({ type: 'timestamptz', precision: 3 }) signedAt!: Date;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) requestedAt!: Date;

  /** Null until the first batch. What others do with the account later, such as a friend request, is not erased. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) startedAt!: Date | null;

  /** Null until then; the account cannot log in meanwhile. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) finishedAt!: Date | null;

  /** Messages that were sent from this time on are kept, since they are of a later log-in; null for none. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) keptFrom!: Date | null;

  /** The progress: conversations up to this one are erased; of this one only entries up to `seq`, unless it is null. */
  @Column('text', { default: '' }) conversationId!: string;
  @Column('bigint', { nullable: true }) seq!: bigint | null;

  /** When the next batch may begin, on any instance. */
  @Column({ type: 'timestamptz', precision: 3 }) nextAt!: Date;
}

export const erasureTable = columnTypes(ErasureEntity);
