import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * What must be known of a post while votes on it are told. They change it all the time, so it is a row of its
 * own beside the one that stays. Payouts are thousandths of HBD.
 */
@Entity('young_post')
@Index('young_post_created', ['created'])
export class YoungPostEntity {
  @PrimaryColumn('bigint', { name: 'post_id' })
  postId!: bigint;

  @Column('int', { name: 'author_id' })
  authorId!: number;

  @Column('int', { name: 'community_id', nullable: true })
  communityId!: number | null;

  @Column('timestamptz')
  created!: Date;

  @Column('boolean', { name: 'is_paid' })
  isPaid!: boolean;

  /** What it was paid. */
  @Column('bigint')
  payout!: bigint;

  /** What it would be paid now. */
  @Column('bigint', { name: 'pending_payout' })
  pendingPayout!: bigint;

  /** The sum of its votes, and of their absolute values. */
  @Column('bigint')
  rshares!: bigint;

  @Column('bigint', { name: 'absolute_rshares' })
  absoluteRshares!: bigint;
}
